import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from './button.tsx';
import { Container } from './layout.tsx';

/** In place of a whole page. */
export function PageFailure() {
  return (
    <section className="bg-paper pt-navbar">
      <Container className="py-20 lg:py-32">
        <h1 className="text-2xl tracking-[-0.03em]">This page didn’t load</h1>
        <p className="mt-5 max-w-prose text-lg">Something went wrong on our end. Try reloading.</p>
        <div className="mt-8 flex flex-wrap items-center gap-6">
          <Button onClick={() => window.location.reload()}>Reload page</Button>
          {/* A document of its own: whatever went wrong in this one is gone there. */}
          <a href="/" target="_self" className="text-primary underline underline-offset-4">
            Return to Home
          </a>
        </div>
      </Container>
    </section>
  );
}

/** For a document that is of no use without its script, when that cannot work: the frame stays, and says so. */
export function showPageFailure(): void {
  const main = document.getElementById('main');
  if (main) createRoot(main).render(createElement(PageFailure));
  markReady();
}

/** Notes on the document element that the page's script has taken over: nothing says that it didn't load any more. */
function markReady(): void {
  document.documentElement.dataset.ready = '';
}

export function useMarkReady(): void {
  useEffect(markReady, []);
}
