import Menu from 'lucide-react/icons/menu';
import X from 'lucide-react/icons/x';
import { useRef, useState } from 'react';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { unbrokenHours } from './hours.ts';
import { SITE_SECTIONS } from './site-sections.ts';
import { useDismissal } from './use-dismissal.ts';

export function MobileMenu({ inView, selling }: { inView: string; selling: boolean }) {
  const { company } = useSite();
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);

  useDismissal(
    open,
    menu,
    () => {
      close();
      button.current?.focus();
    },
    close,
  );

  return (
    <div ref={menu} className="lg:hidden">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls="mobile-menu"
        aria-label={open ? 'Close menu' : 'Open menu'}
        onClick={() => setOpen(!open)}
        className="-mr-2.5 grid size-11 place-items-center rounded-control text-ink noscript:hidden"
      >
        {open ? <X className="size-6" /> : <Menu className="size-6" />}
      </button>
      <a href="/#quick-links" className="hidden p-2 text-sm font-medium text-ink noscript:block">
        Menu
      </a>
      <div
        id="mobile-menu"
        hidden={!open}
        className="absolute inset-x-0 top-0 -z-10 max-h-dvh overflow-y-auto bg-surface px-5 pt-navbar pb-6 shadow-raised sm:px-8"
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
          {selling && (
            <ButtonLink href="/checkout" size="large">
              Get Started
            </ButtonLink>
          )}
          <ButtonLink href={`tel:${company.phone.tel}`} variant="quiet" size="large">
            Call {company.phone.display}
          </ButtonLink>
        </div>
        <p className="mt-4 text-xs text-muted">{unbrokenHours(company.hours)}</p>
      </div>
    </div>
  );
}
