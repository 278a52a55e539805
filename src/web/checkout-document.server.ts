/** The checkout, and the pages of one order and one quote. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono, HonoRequest } from 'hono';
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
import { cachedText, ResponseCache } from '../platform/http/response-cache.server.ts';
import type { Site } from '../platform/site.ts';
import { quoteView } from '../quotes/quote-api.ts';
import { CHECKOUT_PAGES } from './checkout-app.tsx';
import type { DocumentDeps } from './render.server.tsx';
import { renderCheckout } from './render.server.tsx';

/** What an address says of the page; all combinations are few enough to be made ahead. */
type Shown =
  | { page: 'order' }
  | { page: 'quote'; unknown: boolean }
  | ({ page: 'checkout' } & Pick<CheckoutData, 'choice' | 'usersAwaited' | 'returning' | 'quoted'>);

/** `version` changes whenever a page does. */
export function checkoutDocument(site: Site, deps: DocumentDeps, version: () => string) {
  const { catalogue, headers, paymentConfig, mail, assets } = deps;
  const { provider } = paymentConfig;
  const { checkout, order, quote } = CHECKOUT_PAGES;

  const answers = new ResponseCache(version);
  function answerFor(shown: Shown) {
    return answers.get(JSON.stringify(shown), async () => {
      const html = await renderCheckout(assets.entry, dataOf(shown));
      const secret = shown.page !== 'checkout' || shown.quoted || shown.returning;
      const own = secret ? headers.secretPage : headers.checkout;
      return cachedText(html, { ...HTML_TYPE, ...own });
    });
  }

  function dataOf(shown: Shown): CheckoutDocument {
    if (shown.page === 'order') return { page: 'order', site, provider, mail };
    if (shown.page === 'quote') return { ...shown, site, mail, token: '', quote: null };
    const plans = catalogue.current().plans;
    const tax = takesTax(paymentConfig);
    return { ...shown, site, plans, prices: deps.addOnPrices(), provider, tax, mail };
  }

  /** What is drawn for an address; of a quote's the browser asks for the choice. */
  function shownAt(query: URLSearchParams, pathPlanId: string | undefined): Shown {
    const { plans } = catalogue.current();
    const quoted = query.has(QUOTE_PARAMETER);
    const requested = quoted
      ? readChoice(new URLSearchParams(), undefined, plans)
      : readChoice(query, pathPlanId, plans);
    const returning = query.has(RETURN_PARAMETER) || query.has(PLACED_PARAMETER);
    return { page: 'checkout', ...requested, returning, quoted };
  }

  function* allShown(): Generator<Shown> {
    yield { page: 'order' };
    for (const unknown of [false, true]) yield { page: 'quote', unknown };
    const planIds = ['', ...catalogue.current().plans.map(({ id }) => `${id}`)];
    for (const returning of ['', `&${RETURN_PARAMETER}`]) {
      yield shownAt(new URLSearchParams(`${QUOTE_PARAMETER}${returning}`), undefined);
      for (const planId of planIds)
        for (const option of MS365_OPTIONS)
          for (const backup of [false, true])
            for (const users of ['', '&ms365_users=999'])
              yield shownAt(
                new URLSearchParams(
                  `plan=${planId}&microsoft365=${option}&cloud_backup=${backup}${users}${returning}`,
                ),
                undefined,
              );
    }
  }

  async function respond({ raw }: HonoRequest, shown: Shown): Promise<Response> {
    return (await answerFor(shown)).response(raw.headers);
  }

  return {
    all: () => [...allShown()].map((shown) => () => answerFor(shown)),
    routes(app: Hono<{ Bindings: HttpBindings }>): void {
      app.get(order.path, ({ req }) => respond(req, { page: 'order' }));
      app.get(quote.path, async ({ req, env }) => {
        const token = req.param('token');
        const found = await deps.quoteOnPage(token, env.incoming);
        if (found === null || found === 'unknown')
          return respond(req, { page: 'quote', unknown: found === 'unknown' });
        const shown = { page: 'quote' as const, site, mail, unknown: false };
        const html = await renderCheckout(assets.entry, {
          ...shown,
          token,
          quote: quoteView.parse(found),
        });
        return new Response(html, { headers: { ...HTML_TYPE, ...headers.secretPage } });
      });
      for (const path of [checkout.path, `${checkout.path}/:planId`]) {
        app.get(path, ({ req }) =>
          respond(req, shownAt(new URL(req.url).searchParams, req.param('planId'))),
        );
      }
    },
  };
}
