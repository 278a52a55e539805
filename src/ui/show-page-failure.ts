import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { markReady } from './mark-ready.ts';
import { PageFailure } from './page-failure.tsx';

/** For a document that is of no use without its script, when that cannot work: the frame stays, and says so. */
export function showPageFailure(): void {
  const main = document.getElementById('main');
  if (main) createRoot(main).render(createElement(PageFailure));
  markReady();
}
