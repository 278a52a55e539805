import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { PageFailure } from './page-failure.tsx';

/** For a document that is of no use without its script, when that cannot work: the frame stays, and says so. */
export function showPageFailure(): void {
  const main = document.getElementById('main');
  // What stands there is another thing, which React replaces and would complain about.
  if (main) hydrateRoot(main, createElement(PageFailure), { onRecoverableError: () => undefined });
}
