import { SITE_PAGES } from '../routes.ts';
import { Button } from './button.tsx';
import { Container } from './layout.tsx';

/** Replaces a page that failed to render. */
export function PageFailure() {
  return (
    <section className="bg-paper pt-navbar">
      <Container className="py-20 lg:py-32">
        <h1 className="text-2xl tracking-[-0.03em]">This page didn’t load</h1>
        <p className="mt-5 max-w-text text-lg">
          {navigator.onLine
            ? 'Something went wrong on our end. Try reloading.'
            : 'You’re offline. Reload once you’re connected again.'}
        </p>
        <div className="mt-8 flex flex-wrap items-center gap-6">
          <Button onClick={() => window.location.reload()}>Reload page</Button>
          {/* A full page load, so that no broken state is left. */}
          <a
            href={SITE_PAGES.home.path}
            target="_self"
            className="text-primary underline underline-offset-4"
          >
            Return to Home
          </a>
        </div>
      </Container>
    </section>
  );
}
