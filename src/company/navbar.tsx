import Phone from 'lucide-react/icons/phone';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Container } from '../ui/layout.tsx';
import { Logo } from './logo.tsx';
import { MobileMenu, SITE_SECTIONS } from './mobile-menu.tsx';

/**
 * The bar stands over the page's own ground until the page is scrolled by more than 50 px. On the checkout `startHref`
 * is empty, which is the address of the page with the choice in it.
 */
export function Navbar({ startHref = '/checkout' }: { startHref?: '' | '/checkout' }) {
  const { company } = useSite();
  const scrolled = useSyncExternalStore(onScroll, isScrolled, never);
  const inView = useSectionInView();

  return (
    <header
      className={`fixed inset-x-0 top-0 z-40 noscript:bg-surface noscript:shadow-bar has-[:popover-open]:bg-surface ${scrolled ? 'bg-surface shadow-bar' : ''}`}
    >
      <Container className="flex h-navbar items-center gap-2 xl:gap-6">
        <a href="/" className="mr-auto rounded-control">
          <Logo />
        </a>
        <nav aria-label="Main" className="hidden lg:block">
          <ul className="flex">
            {SITE_SECTIONS.map(({ id, label }) => (
              <li key={id}>
                <a
                  href={`/#${id}`}
                  aria-current={inView === id ? 'true' : undefined}
                  className="block rounded-control px-3 py-2.5 text-sm font-medium text-body underline-offset-8 hover:text-ink aria-[current]:text-primary aria-[current]:underline aria-[current]:decoration-2"
                >
                  {label}
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
          <span className="sr-only lg:not-sr-only">{company.phone.display}</span>
        </a>
        <ButtonLink href={startHref} size="small" className="max-[22rem]:hidden">
          Get Started
        </ButtonLink>
        <MobileMenu inView={inView} startHref={startHref} />
      </Container>
    </header>
  );
}

function onScroll(look: () => void) {
  window.addEventListener('scroll', look, { passive: true });
  return () => window.removeEventListener('scroll', look);
}

const isScrolled = () => window.scrollY > 50;
/** On the server no page ever is. */
const never = () => false;

/** The id of the page's section that crosses the line a third down the window, '' for none: the navbar marks its link. */
function useSectionInView(): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries)
          setCurrent((before) => (isIntersecting ? target.id : before === target.id ? '' : before));
      },
      { rootMargin: '-33% 0px -67% 0px' },
    );
    for (const section of document.querySelectorAll('section[id]')) observer.observe(section);
    return () => observer.disconnect();
  }, []);
  return current;
}
