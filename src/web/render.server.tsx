/** What the documents are made from, and how a page's data becomes the HTML of its document. */
import type { IncomingMessage } from 'node:http';
import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import type { LiveCatalogue } from '../catalogue/live-catalogue.server.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import type { CheckoutDocument } from '../checkout/checkout-data.ts';
import type { Content } from '../content.server.ts';
import type { PaymentConfig } from '../payments/payment-api.ts';
import type { BuiltAssets } from '../platform/http/assets.server.ts';
import type { HeaderSets } from '../platform/http/headers.server.ts';
import type { Site } from '../platform/site.ts';
import type { QuoteJson } from '../quotes/quote-api.ts';
import type { Credentials } from '../staff/staff-api.ts';
import { staffTitle } from '../staff/staff-pages.ts';
import { pictureUrl } from '../ui/picture.tsx';
import { AdminApp, type AdminData } from './admin-app.tsx';
import { CHECKOUT_PAGES, CheckoutApp } from './checkout-app.tsx';
import { feedTitle, RSS } from './machine-files.server.ts';
import { PAGE_MODULES, type PageView, type SiteData } from './pages.ts';
import { SiteApp } from './site-app.tsx';

/** What the documents are made from. */
export interface DocumentDeps {
  content: Content;
  catalogue: LiveCatalogue;
  assets: BuiltAssets;
  headers: HeaderSets;
  publicUrl: string;
  addOnPrices(): AddOnPrices;
  paymentConfig: PaymentConfig;
  /** Customers get emails. */
  mail: boolean;
  /**
   * The quote of a link, for its page; null leaves it to the browser: the database is away, or this visitor has had many
   * such pages rendered.
   */
  quoteOnPage(token: string, incoming: IncomingMessage): Promise<QuoteJson | 'unknown' | null>;
  /** Staff are reminded that orders are not paid. */
  noMoneyMoves: boolean;
  /** The demo's credentials, while they open the staff area. */
  demoCredentials(): Promise<Credentials | null>;
}

/** The addresses of scripts and styles for an entry and the modules that its page needs at once. */
type FindAssets = BuiltAssets['entry'];

export async function renderSite(
  findAssets: FindAssets,
  { site, view }: SiteData,
  structuredData: readonly object[] = [],
): Promise<string> {
  const { module, load } = PAGE_MODULES[view.name];
  const { default: Page } = await load();
  return html(
    <Document
      assets={findAssets('src/site.browser.tsx', [module])}
      head={<PageHead view={view} site={site} />}
      data={{ site, view }}
      structuredData={structuredData}
    />,
    <SiteApp site={site} view={view} Page={Page} />,
  );
}

export async function renderCheckout(
  findAssets: FindAssets,
  data: CheckoutDocument,
): Promise<string> {
  const { title, description, module, load } = CHECKOUT_PAGES[data.page];
  const { default: Page } = await load();
  return html(
    <Document
      assets={findAssets('src/checkout.browser.tsx', [module])}
      head={
        <>
          <title>{`${title} | ${data.site.company.name}`}</title>
          <meta name="description" content={description} />
          <meta name="robots" content="noindex" />
        </>
      }
      data={data}
    />,
    <CheckoutApp data={data} Page={Page} />,
  );
}

/** The staff document before the sign-in is known. */
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

const SITE_PICTURE = '/pictures/social.jpg';

/** What the head says of a page of the site. */
function PageHead({ view, site }: { view: PageView; site: Site }) {
  const { company, publicUrl } = site;
  const { path, title, description } = view;
  const found = view.name !== 'not-found';
  return (
    <>
      <title>{path === '/' ? title : `${title} | ${company.name}`}</title>
      <meta name="description" content={description} />
      {found && <link rel="canonical" href={publicUrl + path} />}
      {found && <meta property="og:url" content={publicUrl + path} />}
      {!found && <meta name="robots" content="noindex" />}
      <meta property="og:type" content={view.name === 'article' ? 'article' : 'website'} />
      <meta property="og:site_name" content={company.name} />
      <meta property="og:locale" content="en_US" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <link rel="alternate" type={RSS.type} href={RSS.path} title={feedTitle(site)} />
      <SharedPicture view={view} site={site} />
      <meta name="twitter:card" content="summary_large_image" />
      {view.name === 'article' && (
        <meta property="article:published_time" content={view.content.article.date} />
      )}
    </>
  );
}

function SharedPicture({ view, site }: { view: PageView; site: Site }) {
  const { company, pictures } = site;
  const { image, alt } = view.picture ?? {
    image: SITE_PICTURE,
    alt: `${company.name}: ${company.tagline}`,
  };
  const variants = pictures[image];
  return (
    <>
      <meta property="og:image" content={pictureUrl(image, site)} />
      <meta property="og:image:alt" content={alt} />
      {variants && <meta property="og:image:width" content={String(variants.width)} />}
      {variants && <meta property="og:image:height" content={String(variants.height)} />}
    </>
  );
}

interface DocumentProps {
  /** Addresses of what the HTML must name. */
  assets: ReturnType<BuiltAssets['entry']>;
  /** Title, description and what else the head says of this page. */
  head: ReactNode;
  /** What the browser needs to hydrate the page. Nothing personal, unless the page is made for one visitor and not kept. */
  data: object;
  /** What is said when the script never arrives. */
  failure?: ReactNode;
  /** Data for search engines, each a schema.org object. */
  structuredData?: readonly object[];
}

/** The frame of the HTML: head, data for the browser, and the place of the app. */
function Document({
  assets,
  head,
  data,
  failure = 'Part of this page didn’t load. Please reload it.',
  structuredData = [],
}: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        {head}
        {/* The bar's ground in ui/theme.css, light and dark. */}
        {[
          ['light', '#ffffff'],
          ['dark', '#14202c'],
        ].map(([scheme, colour]) => (
          <meta
            key={scheme}
            name="theme-color"
            content={colour}
            media={`(prefers-color-scheme:${scheme})`}
            data-scheme={scheme}
          />
        ))}
        {/* Shows a chosen theme before anything is painted; after the styles, it would wait for them. */}
        <script {...assets.theme} />
        {assets.fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="" />
        ))}
        {assets.styles.map((style) => (
          <link key={style.href} rel="stylesheet" {...style} />
        ))}
        <script type="module" fetchPriority="low" {...assets.start} />
        {structuredData.map((thing) => (
          <script key={safeJson(thing)} type="application/ld+json">
            {safeJson(thing)}
          </script>
        ))}
        <link rel="icon" href="/pictures/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/pictures/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/pictures/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
      </head>
      <body>
        <div id="root" />
        <p role="alert" className="script-failure">
          {failure}
        </p>
        <script type="application/json" id="page-data">
          {safeJson(data)}
        </script>
        <script type="application/json" id="page-scripts">
          {safeJson(assets.scripts)}
        </script>
      </body>
    </html>
  );
}

/** JSON that cannot end its script element, whatever text is in it. */
function safeJson(value: object): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
