/** The public document: pages, files for programs, and the form without script. */
import type { ContactOutcome } from '../contact/contact.ts';
import { HTML_TYPE } from '../platform/http/answer.server.ts';
import type { App } from '../platform/http/call.server.ts';
import { PRIVATE_PAGE } from '../platform/http/headers.server.ts';
import { cachedText, ResponseCache } from '../platform/http/response-cache.server.ts';
import type { PublicSite } from '../platform/site.ts';
import { CHECKOUT_PAGES, HOME_SECTIONS, SITE_PAGES, STAFF_PATHS } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { publishedOn } from '../text-pages/published.server.ts';
import type { PageView } from './pages.ts';
import { canonicalPath, contactView, NOT_FOUND, sitePages } from './site-pages.server.ts';
import { structuredData } from './structured-data.server.ts';
import { wellKnownFiles } from './well-known-files.server.ts';

/** The cache key of the 404 page. Cannot collide with a path, which starts with a slash. */
const NOT_FOUND_KEY = '404';

/** `version` must change whenever a page does. */
export function siteDocument(site: PublicSite, parts: Site, version: () => string) {
  const { content, catalogue, assets, headers } = parts;
  const published = () => publishedOn(content, parts.today());
  let cached: { version: string; pages: Map<string, PageView> } | undefined;
  const pages = () => {
    const current = version();
    if (cached?.version !== current)
      cached = {
        version: current,
        pages: sitePages(published(), catalogue.current(), catalogue.addOnPrices()),
      };
    return cached.pages;
  };
  const answers = new ResponseCache(version);
  const answerFor = (path: string) => answers.get(path, () => makeAnswer(path));
  async function makeAnswer(path: string) {
    const { plans } = catalogue.current();
    const file = wellKnownFiles.get(path);
    if (file)
      return cachedText(
        file.body(site, { articles: published().articles, pages: [...pages().values()] }),
        { ...headers.wellKnown, 'Content-Type': `${file.type}; charset=utf-8` },
      );
    const view = pages().get(path) ?? NOT_FOUND;
    const { renderSite } = await import('./render.server.tsx');
    return cachedText(
      await renderSite(assets.entry, { site, view }, structuredData(view, site, plans)),
      { ...HTML_TYPE, ...headers.site },
      view === NOT_FOUND ? 404 : 200,
    );
  }

  function routes(app: App): void {
    app.get(
      SITE_PAGES.contact.path,
      () =>
        new Response(null, {
          status: 302,
          headers: { ...headers.site, Location: HOME_SECTIONS.contact.path },
        }),
    );
    app.get('*', ({ req }) => answer(new URL(req.url).pathname, req.raw));
  }

  /** The page or file at the path, a redirect to the page that was meant, or the 404 page. */
  async function answer(path: string, request: Request): Promise<Response> {
    const isCanonical = wellKnownFiles.has(path) || pages().has(path);
    const canonical = isCanonical ? undefined : canonicalPath(path, pages(), content.redirects);
    if (canonical) {
      const [target = '', section] = canonical.split('#');
      const { search } = new URL(request.url);
      const Location = `${target}${search}${section ? `#${section}` : ''}`;
      return new Response(null, { status: 301, headers: { ...headersOf(target), Location } });
    }
    return (await answerFor(isCanonical ? path : NOT_FOUND_KEY)).response(request.headers);
  }

  function headersOf(path: string): Record<string, string> {
    if (STAFF_PATHS.includes(path)) return headers.staff;
    return path.startsWith(CHECKOUT_PAGES.checkout.path) ? headers.checkout : headers.site;
  }

  return {
    routes,
    answer,
    has: (path: string) => pages().has(path),
    find: (path: string) => answers.find(path),
    all: () =>
      [...pages().keys(), ...wellKnownFiles.keys(), NOT_FOUND_KEY].map(
        (path) => () => answerFor(path),
      ),
    /** The answer to the form without script. Never stored: it shows the visitor's words. */
    async contactPage(outcome: ContactOutcome, status: number): Promise<Response> {
      const { renderSite } = await import('./render.server.tsx');
      const html = await renderSite(assets.entry, { site, view: contactView(outcome) });
      return new Response(html, {
        status,
        headers: { ...HTML_TYPE, ...headers.site, 'Cache-Control': PRIVATE_PAGE },
      });
    },
  };
}
