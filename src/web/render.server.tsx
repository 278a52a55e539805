import type { ReactElement, ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import type { CheckoutDocument } from '../checkout/checkout-data.ts';
import { Footer } from '../company/footer.tsx';
import { Navbar } from '../company/navbar.tsx';
import { SLIDE_SIZES } from '../home/hero-carousel.tsx';
import type { LaterScript } from '../platform/browser/later-script.ts';
import { newQueryClient } from '../platform/browser/query-client.ts';
import type { BuiltAssets } from '../platform/http/assets.server.ts';
import { type PublicSite, SiteProvider } from '../platform/site.ts';
import { CHECKOUT_PAGES, staffTitle, WELL_KNOWN_FILES } from '../routes.ts';
import { IslandList, IslandRoot, islandPrefix, islandStart } from '../ui/island.tsx';
import { PicturePreload, pictureUrl } from '../ui/picture.tsx';
import { AdminApp, type AdminData } from './admin-app.tsx';
import { CheckoutApp } from './checkout-app.tsx';
import { findCheckoutPage } from './checkout-pages.tsx';
import { findIslands, findRestIslands, type SiteData } from './islands.ts';
import { PageFrame } from './page-frame.tsx';
import { findSitePage, type PageView } from './pages.ts';
import { feedTitle, RSS_TYPE } from './well-known-files.server.ts';

/** The URLs of scripts and styles for an entry and the modules that its page needs. */
type FindAssets = BuiltAssets['entry'];

export async function renderSite(
  findAssets: FindAssets,
  { site, view }: { site: PublicSite; view: PageView },
  structuredData: readonly object[] = [],
): Promise<string> {
  const { default: Page } = await findSitePage(view.name).load();
  const { root, islands } = await renderApp(
    site,
    <PageFrame navbar={<Navbar />} footer={<Footer />}>
      <Page content={view.content} />
    </PageFrame>,
  );
  const operated = findIslands(view.name);
  const rest = findRestIslands(view.name);
  const modules = await Promise.all([operated?.load(), rest?.load()]);
  const components = modules.flatMap((module) => Object.entries(module?.default ?? {}));
  const data: SiteData = {
    site,
    islands: islands.map(({ type, props }) => {
      const [name] = components.find(([, component]) => component === type) ?? [];
      if (!name) throw new Error(`The page ${view.name} has an island that it does not name`);
      return { name, props };
    }),
    components: operated ? findAssets(operated.module).script.src : '',
    scripts: {
      ...(operated && { islands: later(findAssets('src/site.browser.tsx', [operated.module])) }),
      ...(rest && { rest: later(findAssets(rest.module)) }),
      ...scriptsOfShell(findAssets),
    },
  };
  return html(
    <Document
      assets={findAssets('src/shell.browser.ts')}
      head={<PageHead view={view} site={site} />}
      data={data}
      structuredData={structuredData}
    />,
    root,
  );
}

function scriptsOfShell(findAssets: FindAssets) {
  return {
    vitals: later(findAssets('src/vitals.browser.ts')),
    chat: later(findAssets('src/chat/chat-panel.tsx')),
  };
}

function later({ script, modules }: ReturnType<FindAssets>): LaterScript {
  return { entry: script.src, modules };
}

export async function renderCheckout(
  findAssets: FindAssets,
  data: CheckoutDocument,
): Promise<string> {
  const { title, description } = CHECKOUT_PAGES[data.page];
  const { module, load } = findCheckoutPage(data.page);
  const { default: Page } = await load();
  const { root } = await renderApp(data.site, <CheckoutApp data={data} Page={Page} />);
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
      data={{ ...data, scripts: scriptsOfShell(findAssets) }}
    />,
    root,
  );
}

/** The same for everyone: whether someone is signed in is not known yet. */
export async function renderAdmin(findAssets: FindAssets, data: AdminData): Promise<string> {
  return html(
    <Document
      assets={findAssets('src/admin.browser.tsx')}
      head={<title>{staffTitle(data.path, data.site.company)}</title>}
      failure={
        <>
          {'The staff area didn’t load. '}
          <a href={data.path} className="underline">
            Reload it
          </a>
        </>
      }
      data={data}
    />,
    await markup(
      <div id="root">
        <AdminApp data={data} />
      </div>,
    ),
  );
}

/** Renders what browsers hydrate as they do, apart from what is around it. */
async function renderApp(site: PublicSite, app: ReactElement) {
  const islands: ReactElement<object>[] = [];
  let root = await markup(
    <SiteProvider value={site}>
      <IslandList value={islands}>
        <div id="root">{app}</div>
      </IslandList>
    </SiteProvider>,
  );
  for (const [place, island] of islands.entries()) {
    const content = await markup(
      <IslandRoot site={site} client={newQueryClient()}>
        {island}
      </IslandRoot>,
      islandPrefix(place),
    );
    root = root.replace(islandStart(place), (start) => start + content);
  }
  return { root, islands };
}

const ROOT = '<div id="root"></div>';

async function html(frame: ReactElement, root: string): Promise<string> {
  return (await markup(frame)).replace(ROOT, () => root);
}

/** May reject. */
async function markup(element: ReactElement, identifierPrefix = ''): Promise<string> {
  const failures: unknown[] = [];
  const { prelude } = await prerender(element, {
    identifierPrefix,
    onError: (error) => void failures.push(error),
    // Otherwise React splits a long page by an inline script, which our policy forbids.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  });
  const text = await new Response(prelude).text();
  if (failures.length > 0) throw failures[0];
  return text;
}

const SITE_PICTURE = '/pictures/social.jpg';

function PageHead({ view, site }: { view: PageView; site: PublicSite }) {
  const { company, publicUrl } = site;
  const { path, title, description } = view;
  const { google, bing } = company.siteVerification;
  const exists = view.name !== 'not-found';
  const slide = view.name === 'home' && view.content.slides[0];
  return (
    <>
      {slide && <PicturePreload image={slide.image} sizes={SLIDE_SIZES} site={site} />}
      <title>{path === '/' ? title : `${title} | ${company.name}`}</title>
      <meta name="description" content={description} />
      {exists && <link rel="canonical" href={publicUrl + path} />}
      {exists && <meta property="og:url" content={publicUrl + path} />}
      {!exists && <meta name="robots" content="noindex" />}
      <meta property="og:type" content={view.name === 'article' ? 'article' : 'website'} />
      <meta property="og:site_name" content={company.name} />
      <meta property="og:locale" content="en_US" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <link rel="alternate" type={RSS_TYPE} href={WELL_KNOWN_FILES.feed} title={feedTitle(site)} />
      <SharedPicture view={view} site={site} />
      {path === '/' && google && <meta name="google-site-verification" content={google} />}
      {path === '/' && bing && <meta name="msvalidate.01" content={bing} />}
      <meta name="twitter:card" content="summary_large_image" />
      {view.name === 'article' && (
        <meta property="article:published_time" content={view.content.article.date} />
      )}
    </>
  );
}

function SharedPicture({ view, site }: { view: PageView; site: PublicSite }) {
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
  assets: ReturnType<BuiltAssets['entry']>;
  head: ReactNode;
  /** For scripts. Nothing personal, unless rendered for one visitor and never stored. */
  data: object;
  /** Shown when the script never loads. */
  failure?: ReactNode;
  /** schema.org objects for search engines. */
  structuredData?: readonly object[];
}

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
        {/* The navbar's colors in ui/theme.css. */}
        {[
          ['light', '#ffffff'],
          ['dark', '#14202c'],
        ].map(([scheme, color]) => (
          <meta
            key={scheme}
            name="theme-color"
            content={color}
            media={`(prefers-color-scheme:${scheme})`}
            data-scheme={scheme}
          />
        ))}
        {/* Before the first paint, and before the styles, for which a script waits. */}
        <script {...assets.theme} />
        {assets.fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="" />
        ))}
        {assets.styles.map((style) => (
          <link key={style.href} rel="stylesheet" {...style} />
        ))}
        {assets.modules.map((module) => (
          <link key={module.href} rel="modulepreload" fetchPriority="low" {...module} />
        ))}
        {structuredData.map((thing) => (
          <script key={safeJson(thing)} type="application/ld+json">
            {safeJson(thing)}
          </script>
        ))}
        <link rel="icon" href="/pictures/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/pictures/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/pictures/apple-touch-icon.png" />
        <link rel="manifest" href={WELL_KNOWN_FILES.manifest} />
      </head>
      <body>
        <div id="root" />
        <p role="alert" className="script-failure">
          {failure}
        </p>
        <script type="application/json" id="page-data">
          {safeJson(data)}
        </script>
        {/* Async, or the URL's fragment waits; a handler keeps it out of React's head. */}
        <script type="module" async fetchPriority="low" onLoad={() => {}} {...assets.script} />
      </body>
    </html>
  );
}

/** JSON that cannot close its script element, whatever text it contains. */
function safeJson(value: object): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
