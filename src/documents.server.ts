/** The three documents and the files they load: pages as finished bytes, built assets, pictures. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { DemoCredentials } from './admin/sign-in.ts';
import { STAFF_PATHS } from './admin/staff-pages.ts';
import { inDollars } from './catalogue/catalogue-calls.server.ts';
import type { LiveCatalogue } from './catalogue/live-catalogue.server.ts';
import type { AddOnPrices } from './catalogue/pricing.ts';
import { readChoice } from './checkout/choice.ts';
import { ORDER_PAGE } from './checkout/order-page-address.ts';
import type { ContactOutcome } from './contact/contact-page.tsx';
import type { Content } from './content.server.ts';
import { machineFiles } from './discovery/machine-files.server.ts';
import { structuredData } from './discovery/structured-data.server.ts';
import type { PageView } from './pages.ts';
import { type PaymentConfig, takesTax } from './payment/payment.ts';
import { answer, refuse } from './platform/answer.server.ts';
import { type BuiltAssets, contentType, sendAsset } from './platform/assets.server.ts';
import { type AnyCall, call } from './platform/call.server.ts';
import type { HeaderSets } from './platform/headers.server.ts';
import { PageCache, sendPage } from './platform/page-cache.server.ts';
import type { Site } from './platform/site.ts';
import { renderAdmin, renderCheckout, siteRenderer } from './render.server.tsx';
import { contactView, NOT_FOUND, sitePages, trueAddress } from './site-pages.server.ts';

interface Ground {
  content: Content;
  catalogue: LiveCatalogue;
  assets: BuiltAssets;
  headers: HeaderSets;
  publicUrl: string;
  addOnPrices(): AddOnPrices;
  paymentConfig: PaymentConfig;
  /** Customers get a receipt by e-mail. */
  receipts: boolean;
  /** The demo's credentials, while they open the staff area. */
  demoCredentials(): Promise<DemoCredentials | null>;
}

/** The variants of a checkout are many (1,000 user counts), and no-store: a few are kept, and cheaply made. */
const CHECKOUTS_KEPT = 100;

export async function documents(ground: Ground) {
  const { content, catalogue, assets, headers, publicUrl } = ground;
  const site: Site = { company: content.company, pictures: content.pictures, publicUrl };
  const renderSite = await siteRenderer(assets.entry);
  const siteCache = new PageCache(200, 9);
  const filesCache = new PageCache(20, 9);
  const checkoutCache = new PageCache(CHECKOUTS_KEPT, 5);
  const staffCache = new PageCache(2 * STAFF_PATHS.length, 9);

  let known: { version: string; pages: Map<string, PageView> } | undefined;
  const pages = () => {
    const version = catalogue.version();
    if (known?.version !== version)
      known = { version, pages: sitePages(content, catalogue.current()) };
    return known.pages;
  };
  const sitePage = (view: PageView, key: string, status: number) =>
    siteCache.page(key, catalogue.version(), headers.site, () => ({
      body: renderSite({ site, view }, structuredData(view, site)),
      status,
    }));

  const files = machineFiles({
    site,
    articles: content.articles,
    views: () => pages().values(),
    plans: () => catalogue.current().plans,
  });

  /**
   * GET /api/page?path=…: what a move inside the document shows; it is also how such a visit is counted.
   * The same under /ahead is for a page that is only expected, and counts as none.
   */
  const pageCalls: AnyCall[] = (['/api/page', '/api/page/ahead'] as const).map((path) =>
    call({
      method: 'GET',
      path,
      access: 'anyone',
      answer: ({ query }) => {
        const view = pages().get(query.get('path') ?? '');
        if (!view) return refuse(404, 'There is no page at this address');
        return answer(view.name === 'home' ? withoutLists(view) : view);
      },
    }),
  );

  async function picture(name: string, version: string | undefined): Promise<Response> {
    const type = contentType(name);
    if (!type || !/^[\w-]+\.\w+$/.test(name)) return missing(headers);
    const bytes = await readFile(join(content.folder, 'pictures', name)).catch(() => undefined);
    if (!bytes) return missing(headers);
    const kind = version ? headers.asset : headers.picture;
    return new Response(bytes, {
      headers: { ...kind, 'Content-Type': type, 'Content-Length': String(bytes.length) },
    });
  }

  function routes(app: Hono<{ Bindings: HttpBindings }>): void {
    app.get('/assets/*', ({ req }) => {
      const file = assets.file(req.path);
      return file
        ? sendAsset(file, headers.asset, req.header('accept-encoding'))
        : missing(headers);
    });
    app.get('/favicon.ico', () => picture('favicon.ico', undefined));
    app.get('/pictures/:name', ({ req }) => picture(req.param('name'), req.query('v')));
    for (const { path, contentType, body } of files) {
      app.get(path, ({ req }) => {
        const version = `${catalogue.version()} ${new Date().toISOString().slice(0, 10)}`;
        const kind = { ...headers.machine, 'Content-Type': contentType };
        const page = filesCache.page(path, version, kind, () => ({ body: body(), status: 200 }));
        return sendPage(page, req.header('accept-encoding'), req.header('if-none-match'));
      });
    }
    app.get(ORDER_PAGE, ({ req }) => {
      const { provider } = ground.paymentConfig;
      const page = checkoutCache.page(ORDER_PAGE, catalogue.version(), headers.checkout, () => ({
        body: renderCheckout(assets.entry, { page: 'order', site, provider }),
        status: 200,
      }));
      return sendPage(page, req.header('accept-encoding'), undefined);
    });
    for (const path of ['/checkout', '/checkout/:planId']) {
      app.get(path, ({ req }) => {
        const plans = catalogue.current().plans;
        const choice = readChoice(new URL(req.url).searchParams, req.param('planId'), plans);
        const prices = ground.addOnPrices();
        const key = JSON.stringify([prices, choice]);
        const page = checkoutCache.page(key, catalogue.version(), headers.checkout, () => ({
          body: renderCheckout(assets.entry, {
            page: 'checkout',
            site,
            plans: plans.map(inDollars),
            prices,
            choice,
            provider: ground.paymentConfig.provider,
            tax: takesTax(ground.paymentConfig),
            receipts: ground.receipts,
          }),
          status: 200,
        }));
        return sendPage(page, req.header('accept-encoding'), undefined);
      });
    }
    for (const path of STAFF_PATHS) {
      app.get(path, async ({ req }) => {
        // Without its database the page is sent all the same; the calls it makes tell why nothing works.
        const demo = await ground.demoCredentials().catch(() => null);
        const page = staffCache.page(
          `${path} ${demo !== null}`,
          catalogue.version(),
          headers.staff,
          () => ({
            body: renderAdmin(assets.entry, { site, path, demo }),
            status: 200,
          }),
        );
        return sendPage(page, req.header('accept-encoding'), undefined);
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
    app.all('*', () =>
      refuse(405, 'This method is not allowed here', {
        headers: { ...headers.api, Allow: 'GET, HEAD' },
      }),
    );
  }

  /** As the document that the address belongs to has them. */
  function headersOf(address: string): Record<string, string> {
    if (STAFF_PATHS.includes(address)) return headers.staff;
    return address.startsWith('/checkout') ? headers.checkout : headers.site;
  }

  /** The one page that is not the same for everybody: it shows what the visitor wrote, and is kept nowhere. */
  function contactPage(
    content: ContactOutcome,
    status: number,
    more: Record<string, string>,
  ): Response {
    return new Response(renderSite({ site, view: contactView(content) }, []), {
      status,
      headers: {
        ...headers.site,
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        ...more,
      },
    });
  }

  return { pageCalls, routes, contactPage };
}

/** The browser fetches the lists itself when it arrives at the home page by a move. */
function withoutLists(view: Extract<PageView, { name: 'home' }>): PageView {
  const { slides, news, testimonials, services = [], solutions = [] } = view.content;
  const awaited = { services: services.length, solutions: solutions.length };
  return { ...view, content: { slides, news, testimonials, awaited } };
}

function missing(headers: HeaderSets): Response {
  return new Response('Not found', {
    status: 404,
    headers: { ...headers.api, 'Content-Type': 'text/plain' },
  });
}
