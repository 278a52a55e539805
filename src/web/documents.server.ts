/** The public, checkout and staff documents, their files, and their scripts' failures. */
import { setImmediate } from 'node:timers/promises';
import { FAILURE_REPORTS } from '../limits.ts';
import { REPORT_FAILURE } from '../platform/failure-report.ts';
import { HTML_TYPE, refuse } from '../platform/http/answer.server.ts';
import { fileRoutes } from '../platform/http/assets.server.ts';
import { type App, type Call, call } from '../platform/http/call.server.ts';
import { cachedText, ResponseCache } from '../platform/http/response-cache.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import type { PublicSite } from '../platform/site.ts';
import { STAFF_PATHS } from '../routes.ts';
import { asksForCode, demoCredentials } from '../sign-in/password-account.server.ts';
import type { Site } from '../site.server.ts';
import { checkoutDocument } from './checkout-document.server.ts';
import { siteDocument } from './site-document.server.ts';

export async function documents(parts: Site) {
  const { content, catalogue, assets, headers, publicUrl, mail } = parts;
  const { company, chat, pictures: manifest } = content;
  /** Pages are made anew when what they show has changed. */
  const version = () => `${catalogue.version()} ${JSON.stringify(parts.firstAnswers.current())}`;
  const site: PublicSite = {
    ...{ company, chat, pictures: manifest, publicUrl, mail },
    get firstAnswers() {
      return parts.firstAnswers.current();
    },
  };
  const pictures = { files: content.pictureFiles, manifest };
  const files = await fileRoutes(assets, pictures, headers);
  const pages = siteDocument(site, parts, version);
  const checkout = checkoutDocument(site, parts, version);
  const staff = staffDocument(site, parts);

  function routes(app: App): void {
    files.routes(app);
    checkout.routes(app);
    staff.routes(app);
    pages.routes(app);
    app.all('*', () =>
      refuse(405, 'This method is not allowed here', {
        headers: { ...headers.api, Allow: 'GET, HEAD' },
      }),
    );
  }

  let prepared = '';
  return {
    routes,
    find: (path: string, query: string) => files.find(path, query) ?? pages.find(path),
    /** The page that the access log counts a path as; undefined for anything but a page. */
    pageOf: (path: string) =>
      pages.has(path) || STAFF_PATHS.includes(path) ? path : checkout.pageOf(path),
    contactPage: pages.contactPage,
    /** A path that is not canonical leads to the page that was meant, never to a call. */
    async answerMisspelled(path: string, request: Request): Promise<Response> {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      return isRead && !path.startsWith('/api/')
        ? pages.answer(path, request)
        : refuse(404, 'There is nothing at this address', { headers: headers.api });
    },
    /** Renders all pages of a new version, one per turn of the event loop. */
    async prepare(isStopped: () => boolean): Promise<void> {
      const current = version();
      if (current === prepared) return;
      prepared = current;
      for (const make of [pages, checkout, staff].flatMap((document) => document.all())) {
        if (isStopped()) return;
        await make().catch((error: unknown) => logFault('page-render-failed', error));
        await setImmediate();
      }
    },
  };
}

function staffDocument(
  site: PublicSite,
  { db, env: { admin, testPayments }, catalogue, assets, headers, signInMethods }: Site,
) {
  const answers = new ResponseCache(catalogue.version);
  async function page(path: string) {
    // Without the database the page is still sent; its calls then report what is wrong.
    const demo = await demoCredentials(db, admin).catch(() => null);
    const withCode = await asksForCode(db).catch(() => false);
    const methods = signInMethods();
    const key = JSON.stringify([path, demo !== null, withCode, methods]);
    return answers.get(key, async () => {
      const addOns = catalogue.addOnPrices();
      const data = { site: { ...site, addOns }, path, demo, methods, withCode, testPayments };
      const { renderAdmin } = await import('./render.server.tsx');
      const html = await renderAdmin(assets.entry, data);
      return cachedText(html, { ...HTML_TYPE, ...headers.staff });
    });
  }
  return {
    all: () => STAFF_PATHS.map((path) => () => page(path)),
    routes(app: App): void {
      for (const path of STAFF_PATHS) {
        app.get(path, async ({ req }) => (await page(path)).response(req.raw.headers));
      }
    },
  };
}

/** Writes failures in visitors' browsers to the server's log. */
export const failureReport: Call = call(
  REPORT_FAILURE,
  { access: 'anyone', limit: FAILURE_REPORTS },
  ({ body }) => {
    logEvent('warn', 'part-failed', body);
    return null;
  },
);
