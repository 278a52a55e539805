/** The public site: its pages, the files that programs ask for by name, and the answers to its forms. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { ContactOutcome } from '../contact/contact.ts';
import { HTML_TYPE } from '../platform/http/answer.server.ts';
import { cachedText, ResponseCache } from '../platform/http/response-cache.server.ts';
import type { Site } from '../platform/site.ts';
import { STAFF_PATHS } from '../staff/staff-pages.ts';
import { MACHINE_FILES } from './machine-files.server.ts';
import type { PageView } from './pages.ts';
import type { DocumentDeps } from './render.server.tsx';
import { renderSite } from './render.server.tsx';
import { contactPage, NOT_FOUND, sitePages, trueAddress } from './site-pages.server.ts';
import { structuredData } from './structured-data.server.ts';

/** In place of an address, which begins with a slash. */
const NOT_FOUND_KEY = '404';

/** `version` changes whenever a page does. */
export function siteDocument(site: Site, deps: DocumentDeps, version: () => string) {
  const { content, catalogue, assets, headers } = deps;
  let known: { version: string; pages: Map<string, PageView> } | undefined;
  const pages = () => {
    const current = version();
    if (known?.version !== current)
      known = {
        version: current,
        pages: sitePages(content, catalogue.current(), deps.addOnPrices(), deps.mail),
      };
    return known.pages;
  };
  const answers = new ResponseCache(version);
  const answerFor = (path: string) => answers.get(path, () => makeAnswer(path));
  async function makeAnswer(path: string) {
    const { plans } = catalogue.current();
    const file = MACHINE_FILES.get(path);
    if (file)
      return cachedText(
        file.body(site, { articles: content.articles, pages: [...pages().values()], plans }),
        { ...headers.machine, 'Content-Type': `${file.type}; charset=utf-8` },
      );
    const view = pages().get(path) ?? NOT_FOUND;
    return cachedText(
      await renderSite(assets.entry, { site, view }, structuredData(view, site, plans)),
      { ...HTML_TYPE, ...headers.site },
      view === NOT_FOUND ? 404 : 200,
    );
  }

  function routes(app: Hono<{ Bindings: HttpBindings }>): void {
    app.get(
      '/contact',
      () =>
        new Response(null, { status: 302, headers: { ...headers.site, Location: '/#contact' } }),
    );
    app.get('*', async ({ req }) => {
      const { pathname, search } = new URL(req.url);
      const isKnown = MACHINE_FILES.has(req.path) || pages().has(req.path);
      const address = isKnown ? undefined : trueAddress(pathname, pages());
      if (address) {
        return new Response(null, {
          status: 301,
          headers: { ...headersOf(address), Location: address + search },
        });
      }
      return (await answerFor(isKnown ? req.path : NOT_FOUND_KEY)).response(req.raw.headers);
    });
  }

  /** The headers of the document that the address belongs to. */
  function headersOf(address: string): Record<string, string> {
    if (STAFF_PATHS.includes(address)) return headers.staff;
    return address.startsWith('/checkout') ? headers.checkout : headers.site;
  }

  return {
    routes,
    /** What is ready to be sent from an address. */
    find: (path: string) => answers.find(path),
    all: () =>
      [...pages().keys(), ...MACHINE_FILES.keys(), NOT_FOUND_KEY].map(
        (path) => () => answerFor(path),
      ),
    contactPages: contactPages(site, deps, version),
  };
}

/** What the contact form without script is answered with. */
function contactPages(
  site: Site,
  { assets, headers: { site: shared } }: DocumentDeps,
  version: () => string,
) {
  const headers = { ...HTML_TYPE, ...shared, 'Cache-Control': 'no-store' };
  const render = (outcome: ContactOutcome) =>
    renderSite(assets.entry, { site, view: contactPage(outcome) });

  const refusals = new ResponseCache(version);
  return {
    /** Not the same for everybody: it shows what the visitor wrote, and is kept nowhere. */
    page: async (outcome: ContactOutcome, status: number) =>
      new Response(await render(outcome), { status, headers }),
    /** The finished page that says why it was refused; there are few reasons. */
    async refusal(refused: string, status: number, received: Headers) {
      const answer = await refusals.get(`${status} ${refused}`, async () =>
        cachedText(await render({ refused }), headers, status),
      );
      return answer.response(received);
    },
  };
}
