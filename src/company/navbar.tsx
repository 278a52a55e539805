import ChevronDown from 'lucide-react/icons/chevron-down';
import Menu from 'lucide-react/icons/menu';
import Phone from 'lucide-react/icons/phone';
import X from 'lucide-react/icons/x';
import { useSite } from '../platform/site.ts';
import { CHECKOUT_PAGES, HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Container } from '../ui/layout.tsx';
import { customerLinks } from './company.ts';
import { unbrokenHours } from './hours.ts';
import { Logo } from './logo.tsx';
import { OpenNow } from './opening-hours.tsx';

/** By the section's id. */
const SECTIONS = Object.entries(HOME_SECTIONS);

interface NavbarProps {
  /** '' on the checkout. */
  startHref?: string;
  /** Where the page has an action of its own. */
  quiet?: boolean;
}

/** Transparent until the page is scrolled (operate-navbar.ts). */
export function Navbar(props: NavbarProps) {
  const { startHref = CHECKOUT_PAGES.checkout.path, quiet = false } = props;
  const { company } = useSite();
  const hasLinks = customerLinks(company).length > 0;

  return (
    <header className="fixed inset-x-0 top-0 z-40 short:absolute noscript:bg-surface noscript:shadow-bar has-[:popover-open]:bg-surface data-scrolled:bg-surface data-scrolled:shadow-bar">
      <Container className="flex h-navbar items-center gap-2 xl:gap-6">
        <a href={SITE_PAGES.home.path} className="mr-auto rounded-control">
          <Logo />
        </a>
        <nav aria-label="Main" className="hidden lg:block">
          <ul className="flex">
            {SECTIONS.map(([id, { path, title }]) => (
              <li key={id}>
                <a
                  href={path}
                  className={`block rounded-control px-3 py-2.5 text-sm underline-offset-8 hover:text-ink aria-[current]:text-primary aria-[current]:underline aria-[current]:decoration-2 ${quiet ? 'text-muted' : 'font-medium text-body'}`}
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <a
          href={`tel:${company.phone.tel}`}
          className="inline-flex h-11 min-w-11 items-center justify-center gap-2 rounded-control px-2 text-sm font-medium text-ink tabular-nums hover:text-primary"
        >
          <Phone className="size-4.5 lg:size-4" />
          <span className={`sr-only ${hasLinks ? 'xl:not-sr-only' : 'lg:not-sr-only'}`}>
            {company.phone.display}
          </span>
        </a>
        {hasLinks && <CustomerMenu />}
        <ButtonLink
          href={startHref}
          variant={quiet ? 'quiet' : 'primary'}
          size="small"
          className="max-[22rem]:hidden"
        >
          Get Started
        </ButtonLink>
        <MobileMenu startHref={startHref} />
      </Container>
    </header>
  );
}

/** The links for customers; on small screens they are in the other menu. */
function CustomerMenu() {
  const links = customerLinks(useSite().company);
  return (
    <div className="hidden lg:block">
      <button
        type="button"
        popoverTarget={CUSTOMER_MENU}
        className="inline-flex h-11 items-center gap-1 rounded-control px-2 text-sm font-medium text-ink hover:text-primary"
      >
        Customers
        <ChevronDown className="size-4" />
      </button>
      <div
        id={CUSTOMER_MENU}
        popover="auto"
        className="fixed inset-x-0 top-navbar bottom-auto m-0 w-full max-w-none border-0 border-t border-line bg-surface py-2 text-body shadow-raised"
      >
        <Container>
          <ul className="flex justify-end gap-x-6">
            {links.map(({ label, href }) => (
              <li key={label}>
                <a
                  href={href}
                  className="inline-flex h-11 items-center rounded-control text-sm font-medium text-ink hover:text-primary"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </Container>
      </div>
    </div>
  );
}

const CUSTOMER_MENU = 'customer-menu';
const MENU = 'mobile-menu';

/** A popover. For the first 100 ms its `before` covers the page: no click outside counts. */
function MobileMenu({ startHref }: { startHref: string }) {
  const { company } = useSite();
  const links = customerLinks(company);
  return (
    <div className="group/menu lg:hidden">
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
        id={MENU}
        popover="auto"
        className="before:fixed before:inset-0 before:-z-10 before:animate-[vanish_0s_100ms_forwards] fixed inset-x-0 top-navbar bottom-auto m-0 max-h-[calc(100dvh-var(--spacing-navbar))] w-full max-w-none overflow-y-auto border-0 bg-surface px-5 pt-0 pb-6 text-body shadow-raised sm:px-8"
      >
        <nav aria-label="Main, for small screens">
          <ul className="border-t border-line">
            {SECTIONS.map(([id, { path, title }]) => (
              <li key={id} className="border-b border-line">
                <a
                  href={path}
                  className="flex h-13 items-center text-base font-medium text-ink aria-[current]:text-primary"
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {links.length > 0 && (
          <ul className="mt-4 flex flex-wrap gap-x-6">
            {links.map(({ label, href }) => (
              <li key={label}>
                <a href={href} className="inline-flex h-11 items-center text-sm text-ink">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        )}
        <div className="mt-6 grid gap-3 sm:grid-cols-2">
          <ButtonLink href={startHref} size="large">
            Get Started
          </ButtonLink>
          <ButtonLink href={`tel:${company.phone.tel}`} variant="quiet" size="large">
            {`Call ${company.phone.display}`}
          </ButtonLink>
        </div>
        <p className="mt-4 text-xs text-muted">
          <OpenNow />
          {unbrokenHours(company.hours)}
        </p>
      </div>
    </div>
  );
}
