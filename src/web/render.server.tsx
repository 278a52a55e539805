/** Turns a page's data into the HTML of its document. */
import type { ReactElement } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { inDollars } from '../catalogue/catalogue.ts';
import type { CheckoutDocument } from '../checkout/checkout-data.ts';
import type { BuiltAssets } from '../platform/assets/assets.server.ts';
import { logFault } from '../platform/log.server.ts';
import { CHECKOUT_PAGES, SITE_PAGES } from '../routes.ts';
import { AdminApp, type AdminData } from './admin-app.tsx';
import { CheckoutApp, loadPages } from './checkout-app.tsx';
import { Document } from './document.tsx';
import { type PageModule, pageModules, shownPage } from './pages.ts';
import { SiteApp, type SiteData } from './site-app.tsx';

/** The addresses of scripts and styles for an entry and the modules that its page needs at once. */
type FindAssets = BuiltAssets['entry'];

/** Renders pages of the public document. All modules are loaded here, so that rendering waits for nothing. */
export async function siteRenderer(findAssets: FindAssets) {
  const modules = new Map<string, PageModule>();
  for (const [name, load] of Object.entries(pageModules)) modules.set(name, await load());

  return ({ site, view }: SiteData, structuredData: readonly object[]): string => {
    const module = modules.get(view.name);
    if (!module) throw new Error(`nothing draws the page ${view.name}`);
    return html(
      <Document
        assets={findAssets('src/site.browser.tsx', [SITE_PAGES[view.name].module])}
        data={{ site, view }}
        structuredData={structuredData}
      />,
      <SiteApp site={site} shown={shownPage(view, module)} />,
    );
  };
}

export type CheckoutRenderer = Awaited<ReturnType<typeof checkoutRenderer>>;

/** The same of the checkout's document. */
export async function checkoutRenderer(findAssets: FindAssets) {
  const pages = await loadPages(['checkout', 'order', 'quote']);

  return (data: CheckoutDocument): string => {
    return html(
      <Document
        assets={findAssets('src/checkout.browser.tsx', [CHECKOUT_PAGES[data.page].module])}
        data={data.page === 'checkout' ? { ...data, plans: data.plans.map(inDollars) } : data}
      />,
      <CheckoutApp data={data} pages={pages} />,
    );
  };
}

/** The staff document as it is while nobody knows yet who is looking at it. */
export function renderAdmin(findAssets: FindAssets, data: AdminData): string {
  return html(
    <Document assets={findAssets('src/admin.browser.tsx')} data={data} />,
    <AdminApp data={data} />,
  );
}

const ROOT = '<div id="root">';
/** React leaves a part that throws to the browser, which would fail as well; the page would be kept without it. */
const UNDRAWN = '<!--$!-->';

/**
 * The app is drawn apart from its frame, as the browser will hydrate it: React derives the ids of fields and
 * dialogs from the tree above them. What the app says about the head comes out in front of its root.
 */
function html(frame: ReactElement, app: ReactElement): string {
  const whole = <div id="root">{app}</div>;
  const drawn = renderToString(whole);
  if (drawn.includes(UNDRAWN)) {
    // Only this way of drawing tells what the matter was, and only afterwards.
    renderToPipeableStream(whole, { onError: (error) => logFault('part-not-drawn', error) });
    throw new Error('a part of this page cannot be drawn');
  }
  const root = drawn.indexOf(ROOT);
  return `<!doctype html>${renderToString(frame)}`
    .replace('</head>', () => `${drawn.slice(0, root)}</head>`)
    .replace(`${ROOT}</div>`, () => drawn.slice(root));
}
