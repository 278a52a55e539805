import Menu from 'lucide-react/icons/menu';
import X from 'lucide-react/icons/x';
import { type FocusEvent, useEffect, useRef } from 'react';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { unbrokenHours } from './hours.ts';

/** The sections of the home page that the navbar leads to, in its order. */
export const SITE_SECTIONS = [
  { id: 'services', label: 'Services' },
  { id: 'solutions', label: 'Solutions' },
  { id: 'about', label: 'About' },
  { id: 'news', label: 'News' },
  { id: 'pricing', label: 'Pricing' },
  { id: 'contact', label: 'Contact' },
] as const;

const MENU = 'mobile-menu';

/** A popover: the browser opens it, closes it by Escape or a press outside, and gives the focus back, without script. */
export function MobileMenu({ inView, startHref }: { inView: string; startHref: string }) {
  const { company } = useSite();
  const menu = useRef<HTMLDivElement>(null);
  const close = () => menu.current?.hidePopover();

  // Without script the link to a section of the same page leaves the menu open over it.
  useEffect(() => {
    if (window.location.hash) menu.current?.hidePopover();
  }, []);

  /** What is focused must not be hidden under the menu. */
  function leave({ currentTarget, relatedTarget }: FocusEvent) {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears where the focus goes, and can’t be pressed.
    <div onBlur={leave} className="group/menu lg:hidden">
      <button
        type="button"
        popoverTarget={MENU}
        className="-mr-2.5 grid size-11 place-items-center rounded-control text-ink"
      >
        <span className="group-has-[:popover-open]/menu:hidden">
          <Menu className="size-6" />
          <span className="sr-only">Open menu</span>
        </span>
        <span className="hidden group-has-[:popover-open]/menu:block">
          <X className="size-6" />
          <span className="sr-only">Close menu</span>
        </span>
      </button>
      <div
        ref={menu}
        id={MENU}
        popover="auto"
        className="fixed inset-x-0 top-navbar bottom-auto m-0 max-h-[calc(100dvh-var(--spacing-navbar))] w-full max-w-none overflow-y-auto border-0 bg-surface px-5 pt-0 pb-6 text-body shadow-raised sm:px-8"
      >
        <nav aria-label="Main, for small screens">
          <ul className="border-t border-line">
            {SITE_SECTIONS.map(({ id, label }) => (
              <li key={id} className="border-b border-line">
                <a
                  href={`/#${id}`}
                  onClick={close}
                  aria-current={inView === id ? 'true' : undefined}
                  className="flex h-13 items-center text-base font-medium text-ink aria-[current]:text-primary"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="mt-6 grid gap-3 sm:grid-cols-2">
          <ButtonLink href={startHref} size="large" onClick={close}>
            Get Started
          </ButtonLink>
          <ButtonLink href={`tel:${company.phone.tel}`} variant="quiet" size="large">
            Call {company.phone.display}
          </ButtonLink>
        </div>
        <p className="mt-4 text-xs text-muted">{unbrokenHours(company.hours)}</p>
      </div>
    </div>
  );
}
