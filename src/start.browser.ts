/**
 * Loads the document's scripts after everything visible has loaded; pages are complete without them. Every page loads
 * this file, so it is small and imports nothing.
 */

/** The modules named in a document's HTML: its entry, and everything that the entry and the page import. */
export interface PageScripts {
  script: { href: string };
  modules: readonly { href: string; integrity: string }[];
}

const RELOADED = 'reloaded-for-script';

addEventListener('load', async () => {
  const scripts = document.getElementById('page-scripts');
  const { script, modules }: PageScripts = JSON.parse(`${scripts?.textContent}`);
  // Fetches all modules in parallel and checks their integrity; the import below uses the checked responses.
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
    // Storage is forbidden, so no page was reloaded.
  }
});

/** A cached page may name scripts that a deploy removed. The first failure reloads it, the second shows a message. */
function reloadOnce() {
  try {
    if (sessionStorage.getItem(RELOADED) === null) {
      sessionStorage.setItem(RELOADED, '');
      location.reload();
      return;
    }
  } catch {
    // Storage is forbidden: this may be the second failure, so the page is not reloaded again.
  }
  document.documentElement.dataset.failed = '';
  report();
}

/** Does what platform/failure-report.ts does; this file cannot import it. */
function report() {
  const page = location.pathname.replace(/^\/quote\/.*/, '/quote');
  fetch('/api/page-failures', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'script', page, error: '', place: '' }),
  }).catch(() => undefined);
}
