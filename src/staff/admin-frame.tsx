/** The frame of every staff page: the bar with its links, and the toasts. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Logo } from '../company/logo.tsx';
import { LIST_FAULTS } from '../notifications/faults-api.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { useSite } from '../platform/site.ts';
import { SITE_PAGES, STAFF_PAGES, staffTitle } from '../routes.ts';
import { useKeptFocus } from '../ui/focus.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { LIST_ID } from '../ui/records/record-table.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { Toaster } from '../ui/toast/toaster.tsx';
import { useLogin } from './login.tsx';

interface AdminFrameProps {
  /** Customers pay through the test gateway. */
  testPayments: boolean;
  waiting: number;
  /** Orders and quotes to which something happened since their list was last shown. */
  sales: { orders: number; quotes: number };
  /** Threads with news since this tab was last looked at. */
  arrived: number;
  children: ReactNode;
}

export function AdminFrame({ testPayments, waiting, arrived, sales, children }: AdminFrameProps) {
  const { state } = useLogin();
  const [path] = useLocation();
  const main = useFocusOnNavigate(path);
  const { company, pictures } = useSite();
  const pageTitle = staffTitle(path, company);
  const title = arrived > 0 ? `(${arrived}) ${pageTitle}` : pageTitle;
  useEffect(() => {
    document.title = title;
  }, [title]);
  const icon = arrived > 0 && NEWS_ICON in pictures ? NEWS_ICON : '/pictures/favicon.svg';
  useEffect(() => {
    document.querySelector('link[rel=icon][type="image/svg+xml"]')?.setAttribute('href', icon);
  }, [icon]);
  return (
    <div className="staff group/frame flex min-h-dvh flex-col panes:has-data-panes:h-dvh max-xl:has-data-thread:h-dvh">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <a
        href={`#${LIST_ID}`}
        className="skip-link [:not(:has(#list))>&]:hidden max-xl:group-has-data-thread/frame:hidden"
      >
        Skip to the list
      </a>
      {/* On a phone, an open thread is the screen. */}
      <header className="on-night max-xl:group-has-data-thread/frame:hidden">
        <div className="mx-auto flex w-full max-w-[96rem] flex-wrap items-center gap-x-3 px-4 sm:gap-x-6 sm:px-6">
          <a href={SITE_PAGES.home.path} className="flex h-14 items-center rounded-control">
            <Logo onInk />
          </a>
          {'username' in state && (
            <StaffBar path={path} username={state.username} waiting={waiting} sales={sales} />
          )}
          {/* On a phone the links take a line of their own; keep its height free. */}
          {state.status === 'loading' && path !== STAFF_PAGES.signIn.path && (
            <span className="order-last h-11 w-full sm:hidden" />
          )}
        </div>
        {state.status === 'signed-in' && !state.mustSetUp && <Faults path={path} />}
        {testPayments && (
          <p className="border-b border-amber/30 bg-amber-soft px-4 py-1 text-center text-xs text-amber">
            <strong>Test payments: no money moves.</strong>{' '}
            <span className="max-sm:sr-only">Orders are taken, but no one is charged.</span>
          </p>
        )}
      </header>
      {/* As high as the screen, so that the footer does not visibly move when a list arrives. */}
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className="min-h-[calc(100dvh-3.5rem)] flex-1 bg-paper panes:has-data-panes:min-h-0 panes:has-data-panes:overflow-y-auto max-xl:has-data-thread:min-h-0 max-xl:has-data-thread:overflow-y-auto"
      >
        {children}
      </main>
      <footer className="border-t border-line bg-paper px-4 py-3 text-xs sm:px-6 panes:group-has-data-panes/frame:hidden max-xl:group-has-data-thread/frame:hidden">
        <ThemeChoice />
      </footer>
      <Toaster />
    </div>
  );
}

/** The company's icon with a dot, if it has one. */
const NEWS_ICON = '/pictures/favicon-news.svg';

/** What does not work, on every page until it is over. */
function Faults({ path }: { path: string }) {
  const asked = callQuery(LIST_FAULTS);
  const { data } = useQuery({
    ...asked,
    // Each page asks once.
    queryKey: [...asked.queryKey, path],
    placeholderData: keepPreviousData,
    meta: { inBackground: true },
  });
  return data?.faults.map(({ service, fault, answer, cure, since }) => (
    <p
      key={`${service} ${answer}`}
      role="alert"
      className="border-b border-danger/30 bg-danger-soft px-4 py-1 text-center text-xs text-danger"
    >
      <strong>{fault}</strong>
      <span>{` since `}</span>
      <LocalTime at={since} />
      <span className="wrap-anywhere">{`: ${answer}. ${cure}`}</span>
    </p>
  ));
}

const NAVIGATION = Object.values(STAFF_PAGES).filter((page) => 'label' in page);

interface StaffBarProps extends Pick<AdminFrameProps, 'waiting' | 'sales'> {
  path: string;
  username: string;
}

function StaffBar({ path, username, waiting, sales }: StaffBarProps) {
  const badges: Record<string, [count: number, words: string]> = {
    [STAFF_PAGES.inbox.path]: [waiting, 'waiting for an answer'],
    [STAFF_PAGES.orders.path]: [sales.orders, 'with news'],
    [STAFF_PAGES.quotes.path]: [sales.quotes, 'accepted'],
  };
  const { state, signOut } = useLogin();
  const kept = useKeptQueries(path);
  const signingOut = state.status === 'signing-out';
  const keepFocus = useKeptFocus(signingOut);
  return (
    <>
      <nav
        aria-label="Staff"
        className="order-last -mx-1.5 w-[calc(100%+0.75rem)] max-sm:overflow-x-auto max-sm:[scrollbar-width:none] sm:order-none sm:mx-0 sm:w-auto sm:flex-1"
      >
        <ul className="flex hyphens-none wrap-normal sm:flex-wrap">
          {NAVIGATION.map(({ path: href, label }) => {
            const [count, words] = badges[href] ?? [0, ''];
            return (
              <li key={href}>
                <Link
                  href={href === path ? href : `${href}${kept[href] ?? ''}`}
                  aria-current={href === path ? 'page' : undefined}
                  aria-describedby={count > 0 ? `news-${label}` : undefined}
                  className="relative flex h-11 items-center border-b-2 border-transparent px-1.5 text-xs font-medium -outline-offset-2 text-mist hover:text-white aria-[current]:border-tide aria-[current]:text-white sm:h-14 sm:px-3 sm:text-sm"
                >
                  <span>{label}</span>
                  {count > 0 && (
                    <span
                      aria-hidden="true"
                      className="rounded-full bg-tide px-1 font-semibold text-night tabular-nums max-sm:absolute max-sm:top-0 max-sm:right-0.5 max-sm:text-[0.625rem] max-sm:leading-3.5 sm:ml-1.5 sm:px-1.5 sm:text-xs"
                    >
                      {count > 99 ? '99+' : count}
                    </span>
                  )}
                </Link>
                <span id={`news-${label}`} hidden>
                  {`${count} ${words}`}
                </span>
              </li>
            );
          })}
        </ul>
      </nav>
      <p className="ml-auto truncate text-right text-sm text-mist max-sm:w-0 max-sm:flex-1 sm:ml-0 sm:max-w-40">
        <span className="sr-only">Signed in as </span>
        <span>{username}</span>
      </p>
      <button
        type="button"
        disabled={signingOut}
        onClick={(event) => {
          keepFocus(event);
          signOut();
        }}
        className="inline-flex h-11 items-center gap-2 rounded-control px-3 text-sm font-medium text-white hover:bg-night-raised disabled:opacity-55"
      >
        <LogOut className="size-4" />
        Logout
      </button>
    </>
  );
}

/** The filter and the open record with which each page was left. */
function useKeptQueries(path: string): Readonly<Record<string, string>> {
  const search = useSearch();
  const [kept, setKept] = useState<Record<string, string>>({});
  const query = search && `?${search}`;
  if ((kept[path] ?? '') !== query) setKept({ ...kept, [path]: query });
  return kept;
}

/** Moves the focus to the new page, so that screen readers start at its beginning. */
function useFocusOnNavigate(path: string) {
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(path);
  useEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    window.scrollTo({ top: 0, behavior: 'instant' });
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
