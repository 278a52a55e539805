import { useEffect, useState } from 'react';
import { useSite } from '../platform/site.ts';
import { HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Container } from '../ui/layout.tsx';
import { Picture } from '../ui/picture.tsx';
import { usePause } from '../ui/use-pause.ts';

const REDIRECT_SECONDS = 5;
/** Only shown if content/ has it. */
const LIGHTHOUSE = '/pictures/service-consulting.jpg';

export default function NotFoundPage(_: { content: null }) {
  const { pictures } = useSite();
  const { paused, pauseProps } = usePause();
  // Not rendered by the server: the countdown must not run before its button works.
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const [staying, setStaying] = useState(false);

  useEffect(() => setSecondsLeft(REDIRECT_SECONDS), []);

  useEffect(() => {
    if (secondsLeft === 0) window.location.replace('/');
    if (!secondsLeft || paused || staying) return;
    const second = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000);
    return () => clearTimeout(second);
  }, [paused, staying, secondsLeft]);

  return (
    <section className="bg-paper pt-navbar">
      <Container className="grid items-center gap-8 py-16 lg:grid-cols-12 lg:py-28">
        <div className="lg:col-span-6">
          <h1 className="text-3xl tracking-[-0.04em]">404 Not Found</h1>
          <p className="mt-5 max-w-prose text-lg">
            We can’t find that page. It may have moved, or the link may have a typo.
          </p>
          <div className="mt-8 inline-block" {...pauseProps}>
            <div className="flex flex-wrap gap-3">
              <ButtonLink href={SITE_PAGES.home.path}>Return to Home</ButtonLink>
              <ButtonLink href={HOME_SECTIONS.contact.path} variant="quiet">
                Contact Us
              </ButtonLink>
            </div>
            <div className="mt-8 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 text-sm">
              {staying && <p role="status">You’re staying on this page.</p>}
              {secondsLeft !== undefined && !staying && (
                <>
                  <p>
                    Taking you to the home page in{' '}
                    <span className="font-medium text-ink tabular-nums">{secondsLeft}</span>{' '}
                    <span>{secondsLeft === 1 ? 'second.' : 'seconds.'}</span>
                  </p>
                  <Button variant="quiet" size="small" onClick={() => setStaying(true)}>
                    Stay here
                  </Button>
                </>
              )}
            </div>
          </div>
        </div>
        {pictures[LIGHTHOUSE] && (
          <div className="max-lg:hidden lg:col-span-5 lg:col-start-8">
            <Picture
              image={LIGHTHOUSE}
              alt=""
              sizes="(min-width: 80rem) 31rem, 40vw"
              className="rounded-card shadow-raised"
            />
          </div>
        )}
      </Container>
    </section>
  );
}
