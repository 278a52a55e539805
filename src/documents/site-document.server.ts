/** The public site: its pages, the files that other programs ask for by name, and what a move inside it fetches. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { STAFF_PATHS } from '../admin/staff-pages.ts';
import type { ContactOutcome } from '../contact/contact-page.tsx';
import { machineFiles } from '../discovery/machine-files.server.ts';
import { structuredData } from '../discovery/structured-data.server.ts';
import { EXPECT_PAGE, type PageView, VISIT_PAGE } from '../pages/pages.ts';
import { JSON_TYPE, refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { PageCache, sendPage } from '../platform/http/page-cache.server.ts';
import type { Site } from '../platform/site.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import { siteRenderer } from './render.server.tsx';
import { contactView, NOT_FOUND, sitePages, trueAddress } from './site-pages.server.ts';

export async function siteDocument(site: Site, deps: DocumentDeps) {
  const { content, catalogue, assets, headers } = deps;
  const unkept = { ...headers.site, 'Cache-Control': 'no-store' };
  const renderSite = await siteRenderer(assets.entry);
  const cache = new PageCache();
  const movesCache = new PageCache();
  const filesCache = new PageCache();

  let known: { version: string; pages: Map<string, PageView> } | undefined;
  const pages = () => {
    const version = catalogue.version();
    if (known?.version !== version)
      known = { version, pages: sitePages(content, catalogue.current()) };
    return known.pages;
  };
  const sitePage = (view: PageView, key: string, status: number) =>
    cache.page(key, catalogue.version(), headers.site, () => ({
      body: renderSite({ site, view }, structuredData(view, site)),
      status,
    }));

  const files = machineFiles({
    site,
    articles: content.articles,
    views: () => pages().values(),
    plans: () => catalogue.current().plans,
  });

  const calls: Call[] = [VISIT_PAGE, EXPECT_PAGE].map((contract) =>
    call(contract, {
      access: 'anyone',
      answer: z.custom<PageView>(),
      handle: ({ query, headers: asked }) => {
        const view = pages().get(query.get('path') ?? '');
        if (!view) return refuse(404, 'There is no page at this address');
        const page = movesCache.page(view.path, catalogue.version(), JSON_TYPE, () => ({
          body: JSON.stringify(view.name === 'home' ? withoutLists(view) : view),
          status: 200,
        }));
        return sendPage(page, asked.get('accept-encoding') ?? undefined, undefined);
      },
    }),
  );

  function routes(app: Hono<{ Bindings: HttpBindings }>): void {
    for (const { path, contentType, body } of files) {
      app.get(path, ({ req }) => {
        const version = `${catalogue.version()} ${new Date().toISOString().slice(0, 10)}`;
        const kind = { ...headers.machine, 'Content-Type': contentType };
        const page = filesCache.page(path, version, kind, () => ({ body: body(), status: 200 }));
        return sendPage(page, req.header('accept-encoding'), req.header('if-none-match'));
      });
    }
    app.get('*', ({ req }) => {
      const view = pages().get(req.path);
      if (view) {
        const page = sitePage(view, req.path, 200);
        return sendPage(page, req.header('accept-encoding'), req.header('if-none-match'));
      }
      const { pathname, search } = new URL(req.url);
      const address = trueAddress(pathname, pages());
      if (address) {
        return new Response(null, {
          status: 301,
          headers: { ...headersOf(address), Location: address + search },
        });
      }
      return sendPage(sitePage(NOT_FOUND, '404', 404), req.header('accept-encoding'), undefined);
    });
  }

  /** As the document that the address belongs to has them. */
  function headersOf(address: string): Record<string, string> {
    if (STAFF_PATHS.includes(address)) return headers.staff;
    return address.startsWith('/checkout') ? headers.checkout : headers.site;
  }

  /** The one page that is not the same for everybody: it shows what the visitor wrote, and is kept nowhere. */
  function contactPage(content: ContactOutcome, status: number): Response {
    return new Response(renderSite({ site, view: contactView(content) }, []), {
      status,
      headers: { ...unkept, 'Content-Type': 'text/html; charset=utf-8' },
    });
  }

  function contactRefusal(reason: string, status: number, accept: string | undefined): Response {
    const page = cache.page(`contact ${status} ${reason}`, catalogue.version(), unkept, () => ({
      body: renderSite({ site, view: contactView({ refused: reason }) }, []),
      status,
    }));
    return sendPage(page, accept, undefined);
  }

  return { calls, routes, contactPage, contactRefusal };
}

/** The browser fetches the lists itself when it arrives at the home page by a move. */
function withoutLists(view: Extract<PageView, { name: 'home' }>): PageView {
  const { slides, news, testimonials, services, solutions } = view.content;
  const awaited = { services: services?.length ?? 0, solutions: solutions?.length ?? 0 };
  return { ...view, content: { slides, news, testimonials, awaited } };
}
