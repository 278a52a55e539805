/**
 * Fetches the document's script after everything visible has loaded: a page is complete without it. This one is small and
 * imports nothing.
 */

/** The modules of a document, as its HTML names them: its own entry, and all that this imports and its page needs. */
export interface PageScripts {
  script: { href: string };
  modules: readonly { href: string; integrity: string }[];
}

const RELOADED = 'reloaded-for-script';

addEventListener('load', async () => {
  const named = document.getElementById('page-scripts');
  const { script, modules }: PageScripts = JSON.parse(`${named?.textContent}`);
  // All at once, and each checked against its digest; the import takes what has been checked.
  for (const file of modules)
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', ...file }),
    );
  try {
    await import(/* @vite-ignore */ script.href);
  } catch (error) {
    console.error(error);
    reloadOnce();
    return;
  }
  try {
    sessionStorage.removeItem(RELOADED);
  } catch {
    // Without storage no page was reloaded.
  }
});

/** After a deploy a page from the browser's memory names files that are gone. A second failure is said on the page. */
function reloadOnce() {
  try {
    if (sessionStorage.getItem(RELOADED) === null) {
      sessionStorage.setItem(RELOADED, '');
      location.reload();
      return;
    }
  } catch {
    // Without storage it cannot be known whether this is the second failure.
  }
  document.documentElement.dataset.failed = '';
  report();
}

/** As platform/failure-report.ts, which this file cannot import. */
function report() {
  const page = location.pathname.replace(/^\/quote\/.*/, '/quote');
  fetch('/api/page-failures', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'script', page, error: '', place: '' }),
  }).catch(() => undefined);
}
