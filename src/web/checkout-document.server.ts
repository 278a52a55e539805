/** The checkout, and the pages of an order and a quote. */
import type { HonoRequest } from 'hono';
import { MS365_OPTIONS } from '../catalogue/pricing.ts';
import {
  type CheckoutData,
  type CheckoutDocument,
  PLACED_PARAMETER,
  QUOTE_PARAMETER,
  RETURN_PARAMETER,
} from '../checkout/checkout-data.ts';
import { readChoice } from '../checkout/choice.ts';
import { takesTax } from '../payments/payment-api.ts';
import { HTML_TYPE } from '../platform/http/answer.server.ts';
import type { App } from '../platform/http/call.server.ts';
import { cachedText, ResponseCache } from '../platform/http/response-cache.server.ts';
import type { Site } from '../platform/site.ts';
import { quoteView } from '../quotes/quote-api.ts';
import { CHECKOUT_PAGES } from './checkout-app.tsx';
import { type DocumentDeps, renderCheckout } from './render.server.tsx';

/** What a page shows, apart from data that is the same for all. Few enough combinations to render all of them ahead. */
type CheckoutView =
  | { page: 'order' }
  | { page: 'quote'; unknown: boolean }
  | ({ page: 'checkout' } & Pick<CheckoutData, 'choice' | 'usersPending' | 'returning' | 'quoted'>);

/** `version` must change whenever a page does. */
export function checkoutDocument(site: Site, deps: DocumentDeps, version: () => string) {
  const { catalogue, headers, paymentConfig, mail, assets } = deps;
  const { provider } = paymentConfig;
  const { checkout, order, quote } = CHECKOUT_PAGES;

  const answers = new ResponseCache(version);
  function answerFor(view: CheckoutView) {
    return answers.get(JSON.stringify(view), async (previous) => {
      const html = await renderCheckout(assets.entry, dataFor(view));
      const secret = view.page !== 'checkout' || view.quoted || view.returning;
      const own = secret ? headers.secretPage : headers.checkout;
      return cachedText(html, { ...HTML_TYPE, ...own }, { previous });
    });
  }

  function dataFor(view: CheckoutView): CheckoutDocument {
    if (view.page === 'order') return { page: 'order', site, provider, mail };
    if (view.page === 'quote') return { ...view, site, mail, token: '', quote: null };
    const plans = catalogue.current().plans;
    const tax = takesTax(paymentConfig);
    return { ...view, site, plans, prices: deps.addOnPrices(), provider, tax, mail };
  }

  /** The choice of a quote is not rendered: the browser fetches it. */
  function viewAt(query: URLSearchParams, pathPlanId?: string): CheckoutView {
    const { plans } = catalogue.current();
    const quoted = query.has(QUOTE_PARAMETER);
    const requested = quoted
      ? readChoice(new URLSearchParams(), undefined, plans)
      : readChoice(query, pathPlanId, plans);
    const returning = query.has(RETURN_PARAMETER) || query.has(PLACED_PARAMETER);
    return { page: 'checkout', ...requested, returning, quoted };
  }

  function* allViews(): Generator<CheckoutView> {
    yield { page: 'order' };
    for (const unknown of [false, true]) yield { page: 'quote', unknown };
    const planIds = ['', ...catalogue.current().plans.map(({ id }) => `${id}`)];
    for (const returning of ['', `&${RETURN_PARAMETER}`]) {
      yield viewAt(new URLSearchParams(`${QUOTE_PARAMETER}${returning}`));
      for (const planId of planIds)
        for (const option of MS365_OPTIONS)
          for (const backup of [false, true])
            for (const users of ['', '&ms365_users=999']) {
              const choice = `plan=${planId}&microsoft365=${option}&cloud_backup=${backup}${users}`;
              yield viewAt(new URLSearchParams(choice + returning));
            }
    }
  }

  async function respond({ raw }: HonoRequest, view: CheckoutView): Promise<Response> {
    return (await answerFor(view)).response(raw.headers);
  }

  return {
    /** The page of this document that a path leads to, without a plan's id or a quote's token. */
    pageOf(path: string): string | undefined {
      if (path === order.path || path === checkout.path) return path;
      if (path.startsWith(`${checkout.path}/`)) return checkout.path;
      return path.startsWith('/quote/') ? '/quote' : undefined;
    },
    all: () => [...allViews()].map((view) => () => answerFor(view)),
    routes(app: App): void {
      app.get(order.path, ({ req }) => respond(req, { page: 'order' }));
      app.get(quote.path, async ({ req, env }) => {
        const token = req.param('token');
        const found = await deps.quoteOnPage(token, env.incoming);
        if (found === null || found === 'unknown')
          return respond(req, { page: 'quote', unknown: found === 'unknown' });
        const view = { page: 'quote' as const, site, mail, unknown: false };
        const html = await renderCheckout(assets.entry, {
          ...view,
          token,
          quote: quoteView.parse(found),
        });
        return new Response(html, { headers: { ...HTML_TYPE, ...headers.secretPage } });
      });
      for (const path of [checkout.path, `${checkout.path}/:planId`]) {
        app.get(path, ({ req }) =>
          respond(req, viewAt(new URL(req.url).searchParams, req.param('planId'))),
        );
      }
    },
  };
}
