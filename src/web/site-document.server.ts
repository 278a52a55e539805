/** The public site: its pages, the files that other programs ask for by name, and the answers to its forms. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { HTML_TYPE } from '../platform/http/answer.server.ts';
import { type FinishedAnswer, finishedText } from '../platform/http/finished-answer.server.ts';
import { FinishedCache } from '../platform/http/finished-cache.server.ts';
import type { Site } from '../platform/site.ts';
import { STAFF_PATHS } from '../staff/staff-pages.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import { formPages } from './form-pages.server.ts';
import { machineFiles } from './machine-files.server.ts';
import type { PageView } from './pages.ts';
import { siteRenderer } from './render.server.tsx';
import { NOT_FOUND, sitePages, trueAddress } from './site-pages.server.ts';
import { structuredData } from './structured-data.server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export async function siteDocument(site: Site, deps: DocumentDeps) {
  const { content, catalogue, assets, headers } = deps;
  const renderSite = await siteRenderer(assets.entry);
  const cache = new FinishedCache();
  const filesCache = new FinishedCache();

  let known: { version: string; pages: Map<string, PageView> } | undefined;
  /** Prices of add-ons change at the beginning of a day, whether or not anything else does. */
  const version = () => `${catalogue.version()} ${Math.floor(Date.now() / DAY_MS)}`;
  const pages = () => {
    const current = version();
    if (known?.version !== current)
      known = {
        version: current,
        pages: sitePages(content, catalogue.current(), deps.addOnPrices(), deps.receipts),
      };
    return known.pages;
  };
  const sitePage = (view: PageView, key: string, status = 200) =>
    cache.get(key, version(), () =>
      finishedText(
        renderSite(
          { site, view },
          structuredData(view, site, catalogue.current().plans, content.questions),
        ),
        { ...HTML_TYPE, ...headers.site },
        status,
      ),
    );

  const machine = machineFiles({
    site,
    articles: content.articles,
    views: () => pages().values(),
    plans: () => catalogue.current().plans,
  });

  const files = new Map(machine.map((file) => [file.path, file]));

  /** What stands at an address, unless it must be put together for its visitor. */
  function find(path: string): FinishedAnswer | undefined {
    const view = pages().get(path);
    if (view) return sitePage(view, path);
    const file = files.get(path);
    if (!file) return undefined;
    return filesCache.get(path, version(), () =>
      finishedText(file.body(), { ...headers.machine, 'Content-Type': file.contentType }),
    );
  }

  function routes(app: Hono<{ Bindings: HttpBindings }>): void {
    app.get('*', ({ req }) => {
      const found = find(req.path);
      if (found) return found.response(req.raw.headers);
      const { pathname, search } = new URL(req.url);
      const address = trueAddress(pathname, pages());
      if (address) {
        return new Response(null, {
          status: 301,
          headers: { ...headersOf(address), Location: address + search },
        });
      }
      return sitePage(NOT_FOUND, '404', 404).response(req.raw.headers);
    });
  }

  /** As the document that the address belongs to has them. */
  function headersOf(address: string): Record<string, string> {
    if (STAFF_PATHS.includes(address)) return headers.staff;
    return address.startsWith('/checkout') ? headers.checkout : headers.site;
  }

  const draw = (view: PageView) => renderSite({ site, view }, []);
  return { find, routes, ...formPages(deps, draw, version) };
}
