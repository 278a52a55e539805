import { useSite } from '../platform/site.ts';
import { CHECKOUT_PAGES, HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Container } from '../ui/layout.tsx';
import { Picture } from '../ui/picture.tsx';

const REDIRECT_SECONDS = 5;
const SOUGHT = [
  HOME_SECTIONS.services,
  HOME_SECTIONS.pricing,
  HOME_SECTIONS.news,
  SITE_PAGES.resources,
  CHECKOUT_PAGES.order,
];
/** Only shown if content/ has it. */
const LIGHTHOUSE = '/pictures/service-consulting.jpg';

export default function NotFoundPage(_: { content: null }) {
  const { pictures } = useSite();

  return (
    <section className="flex flex-col bg-paper pt-navbar max-lg:has-[img]:min-h-svh">
      <Container className="grid flex-1 items-center gap-6 py-10 max-lg:grid-rows-[auto_1fr] max-lg:pb-14 lg:grid-cols-12 lg:gap-8 lg:py-20">
        <div className="lg:col-span-6">
          <h1 className="text-3xl tracking-[-0.03em]">404 Not Found</h1>
          <p className="mt-5 max-w-text text-lg text-balance">
            We can’t find that page. It may have moved, or the link may have a typo.
          </p>
          <div data-leaving className="mt-8 sm:inline-block">
            <div className="flex flex-wrap gap-3">
              <ButtonLink href={SITE_PAGES.home.path}>Return to Home</ButtonLink>
              <ButtonLink href={HOME_SECTIONS.contact.path} variant="quiet">
                Contact Us
              </ButtonLink>
            </div>
            {/* Shown once leave-not-found.ts runs: its button must work. */}
            <div className="mt-3 flex min-h-11 not-has-[button]:min-h-0! flex-wrap items-center gap-x-2 text-[0.875rem] text-muted">
              <p role="status" hidden>
                You’re staying on this page.
              </p>
              <p hidden>
                Taking you to the home page in{' '}
                <span className="font-medium text-ink tabular-nums">{REDIRECT_SECONDS}</span>{' '}
                <span>seconds.</span>
              </p>
              <Button variant="link" size="text" className="text-[0.875rem]" hidden>
                Stay here
              </Button>
            </div>
            <nav aria-label="Other pages" className="mt-6 border-t border-line pt-4 text-sm">
              <p className="text-muted">Maybe you were looking for</p>
              <ul className="flex flex-wrap gap-x-5 max-sm:max-w-60">
                {SOUGHT.map(({ path, title }) => (
                  <li key={path}>
                    <a
                      href={path}
                      className="inline-flex min-h-11 items-center text-primary underline underline-offset-4"
                    >
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          </div>
        </div>
        {pictures[LIGHTHOUSE] && (
          <div className="relative max-lg:h-full max-lg:min-h-56 lg:col-span-6 lg:col-start-7">
            <Picture
              image={LIGHTHOUSE}
              alt=""
              sizes="(min-width: 80rem) 37rem, (min-width: 64rem) 47vw, 100vw"
              className="w-full rounded-card object-cover max-lg:absolute max-lg:inset-0 max-lg:h-full"
            />
          </div>
        )}
      </Container>
    </section>
  );
}
