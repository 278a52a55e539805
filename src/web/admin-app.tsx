/** The staff document. Its HTML is the same for everyone, so it must contain nothing personal. */
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { Redirect, Router, useLocation, useSearch } from 'wouter';
import { useInboxEvents } from '../inbox/inbox-queries.ts';
import { GET_ORDER } from '../orders/order-api.ts';
import { useSalesNews } from '../orders/use-sales-news.ts';
import { GET_OWN_PAGE_FOR_STAFF } from '../own-page/own-page-api.ts';
import { type PublicSite, SiteProvider } from '../platform/site.ts';
import { GET_QUOTE, LIST_QUOTES } from '../quotes/quote-api.ts';
import { STAFF_PAGES } from '../routes.ts';
import { RedirectAfterLogin, RequireAuth, SignInPage } from '../sign-in/sign-in-page.tsx';
import { AdminFrame } from '../staff/admin-frame.tsx';
import { LoginProvider, useLogin } from '../staff/login.tsx';
import type { Credentials, SignInMethods } from '../staff/staff-api.ts';
import { Spinner, TryAgainButton } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageFailure } from '../ui/page-failure.tsx';

export interface AdminData {
  site: PublicSite;
  path: string;
  /** The demo's credentials, shown on the sign-in page while they work. */
  demo: Credentials | null;
  /** The sign-in asks for a code: some account has an authenticator. */
  withCode: boolean;
  methods: SignInMethods;
  testPayments: boolean;
}

/** Each page is a chunk of its own, loaded when it is first opened. */
const PAGES: Record<string, ComponentType> = {
  [STAFF_PAGES.inbox.path]: lazy(() => import('../inbox/inbox-page.tsx')),
  [STAFF_PAGES.orders.path]: lazy(ordersPage),
  [STAFF_PAGES.quotes.path]: lazy(() => import('../quotes/quotes-page.tsx')),
  [STAFF_PAGES.prices.path]: lazy(() => import('../price-changes/prices-page.tsx')),
  [STAFF_PAGES.people.path]: lazy(() => import('../privacy/people-page.tsx')),
  [STAFF_PAGES.logs.path]: lazy(() => import('../access-log/logs-page.tsx')),
  [STAFF_PAGES.account.path]: lazy(() => import('../sign-in/account-page.tsx')),
};

/** An open order shows what its customer sees, of which the list knows nothing. */
async function ordersPage() {
  const [{ OrdersPage }, { OrderDetail }] = await Promise.all([
    import('../orders/orders-page.tsx'),
    import('../staff-orders/staff-order.tsx'),
  ]);
  const detail = (id: number, onClose: () => void) => <OrderDetail id={id} onClose={onClose} />;
  return { default: () => <OrdersPage detail={detail} /> };
}

export function AdminApp({ data }: { data: AdminData }) {
  // Or theme.css shows that the script failed to load.
  useEffect(() => {
    document.documentElement.dataset.ready = '';
  }, []);
  return (
    <SiteProvider value={data.site}>
      <Router ssrPath={data.path}>
        <LoginProvider methods={data.methods}>
          <StaffArea data={data} />
        </LoginProvider>
      </Router>
    </SiteProvider>
  );
}

/** The list of orders keeps its rows until it is asked for. */
const SHOWN_SALES = [GET_ORDER, GET_OWN_PAGE_FOR_STAFF, GET_QUOTE, LIST_QUOTES];

/** The frame counts what waits in the inbox and what is new of sales, on every page. */
function StaffArea({ data: { testPayments, ...data } }: { data: AdminData }) {
  const { state } = useLogin();
  const isIn = state.status === 'signed-in' && !state.mustSetUp;
  const news = useInboxEvents(isIn);
  const sales = useSalesNews(isIn, SHOWN_SALES);
  return (
    <AdminFrame testPayments={testPayments} {...news} sales={sales}>
      <GuardedPage demo={data.demo} methods={data.methods} withCode={data.withCode} />
    </AdminFrame>
  );
}

/** Staff pages need a session. With one, the sign-in page redirects. */
function GuardedPage({
  demo,
  methods,
  withCode,
}: Omit<AdminData, 'site' | 'path' | 'testPayments'>) {
  const { state } = useLogin();
  const [path] = useLocation();
  const search = useSearch();
  const signingIn = path === STAFF_PAGES.signIn.path;
  const Page = PAGES[path];

  if (state.status === 'loading' || state.status === 'signing-out') return <Loading />;
  if (state.status === 'unreachable') return <Unreachable />;
  if (state.status === 'signed-out') {
    return signingIn ? (
      <SignInPage demo={demo} methods={methods} withCode={withCode} expired={state.expired} />
    ) : (
      <RequireAuth returnTo={search ? `${path}?${search}` : path} />
    );
  }
  if (state.mustSetUp && path !== STAFF_PAGES.account.path)
    return <Redirect replace href={STAFF_PAGES.account.path} />;
  if (!Page) return <RedirectAfterLogin />;
  return (
    <FailureBoundary key={path} fallback={<PageFailure />}>
      <Suspense fallback={<Loading />}>
        <Page />
      </Suspense>
    </FailureBoundary>
  );
}

function Loading() {
  return (
    <div role="status" className="grid min-h-[70vh] place-items-center px-5 text-primary">
      <span className="noscript:hidden">
        <Spinner className="size-8" />
        <span className="sr-only">Loading…</span>
      </span>
      <noscript>
        <p className="max-w-text text-ink">
          The staff area needs JavaScript. Turn it on for this site in your browser, then reload the
          page.
        </p>
      </noscript>
    </div>
  );
}

function Unreachable() {
  const { refresh } = useLogin();
  return (
    <div className="mx-auto grid max-w-md gap-5 px-5 py-20">
      <h1 className="text-xl">Can’t open the staff area</h1>
      <Notice kind="error">Can’t reach the server.</Notice>
      <TryAgainButton variant="primary" size="medium" className="" onClick={refresh} />
    </div>
  );
}
