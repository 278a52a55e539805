/** Turns a page's data into the HTML of its document. */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { checkoutDocument, type SentCheckoutDocument } from '../checkout/checkout-data.ts';
import type { BuiltAssets } from '../platform/http/assets.server.ts';
import { CHECKOUT_PAGES, SITE_PAGES } from '../routes.ts';
import { staffTitle } from '../staff/staff-pages.ts';
import { AdminApp, type AdminData } from './admin-app.tsx';
import { CheckoutApp, loadPages } from './checkout-app.tsx';
import { Document } from './document.tsx';
import { PageHead } from './page-head.server.tsx';
import { pageModules, shownPage } from './pages.ts';
import { SiteApp, type SiteData } from './site-app.tsx';

/** The addresses of scripts and styles for an entry and the modules that its page needs at once. */
type FindAssets = BuiltAssets['entry'];

export async function renderSite(
  findAssets: FindAssets,
  { site, view }: SiteData,
  structuredData: readonly object[] = [],
): Promise<string> {
  const module = await pageModules[view.name]();
  return html(
    <Document
      assets={findAssets('src/site.browser.tsx', [SITE_PAGES[view.name].module])}
      head={<PageHead view={view} site={site} />}
      data={{ site, view }}
      structuredData={structuredData}
    />,
    <SiteApp site={site} shown={shownPage(view, module)} />,
  );
}

const CHECKOUT_DESCRIPTIONS = {
  checkout: 'Choose a plan and add-ons, and pay by card.',
  order: 'Check the status of your order.',
  quote: 'Your quote, with its prices held for you.',
};

export async function renderCheckout(
  findAssets: FindAssets,
  data: SentCheckoutDocument,
): Promise<string> {
  const { title, module } = CHECKOUT_PAGES[data.page];
  return html(
    <Document
      assets={findAssets('src/checkout.browser.tsx', [module])}
      head={
        <>
          <title>{`${title} | ${data.site.company.name}`}</title>
          <meta name="description" content={CHECKOUT_DESCRIPTIONS[data.page]} />
          <meta name="robots" content="noindex" />
        </>
      }
      data={data}
    />,
    <CheckoutApp data={checkoutDocument.parse(data)} pages={await loadPages([data.page])} />,
  );
}

/** The staff document as it is before it is known who looks at it. */
export function renderAdmin(findAssets: FindAssets, data: AdminData): Promise<string> {
  return html(
    <Document
      assets={findAssets('src/admin.browser.tsx')}
      head={<title>{staffTitle(data.path, data.site.company)}</title>}
      failure={
        <>
          The staff area didn’t load.{' '}
          <a href={data.path} className="underline">
            Reload it
          </a>
        </>
      }
      data={data}
    />,
    <AdminApp data={data} />,
  );
}

const ROOT = '<div id="root"></div>';

/**
 * The app is rendered apart from its frame, as the browser will hydrate it: React derives the ids of fields and dialogs
 * from the tree above them. Rejects when a part throws, which the browser would fail to render as well.
 */
async function html(frame: ReactElement, app: ReactElement): Promise<string> {
  const failures: unknown[] = [];
  const { prelude } = await prerender(<div id="root">{app}</div>, {
    onError: (error) => void failures.push(error),
    // Whole, for React would send the rest of a long page with an inline script.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  });
  const root = await new Response(prelude).text();
  if (failures.length > 0) throw failures[0];
  return `<!doctype html>${renderToStaticMarkup(frame)}`.replace(ROOT, () => root);
}
