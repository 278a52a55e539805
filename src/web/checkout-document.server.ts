/** The checkout, and the pages of an order and a quote. */
import type { HonoRequest } from 'hono';
import {
  type CheckoutData,
  type CheckoutDocument,
  PLACED_PARAMETER,
  QUOTE_PARAMETER,
  RETURN_PARAMETER,
} from '../checkout/checkout-data.ts';
import { findNamedPlan } from '../checkout/choice.ts';
import { HTML_TYPE } from '../platform/http/answer.server.ts';
import type { App } from '../platform/http/call.server.ts';
import { limitKey } from '../platform/http/client-ip.server.ts';
import { cachedText, ResponseCache } from '../platform/http/response-cache.server.ts';
import type { PublicSite } from '../platform/site.ts';
import { quoteView } from '../quotes/quote-api.ts';
import { quoteOnPage } from '../quotes/quote-calls.server.ts';
import { CHECKOUT_PAGES, fillPath, withoutToken } from '../routes.ts';
import type { Site } from '../site.server.ts';

/** What a page shows, apart from what all share. Only the shop differs from plan to plan. */
type CheckoutView =
  | { page: 'order' }
  | { page: 'quote'; unknown: boolean }
  | ({ page: 'checkout' } & Pick<CheckoutData, 'planId' | 'returning' | 'quoted'>);

/** `version` must change whenever a page does. */
export function checkoutDocument(site: PublicSite, parts: Site, version: () => string) {
  const { catalogue, headers, paymentConfig, assets } = parts;
  const { provider } = paymentConfig;
  function quotePage() {
    return {
      page: 'quote',
      site,
      terms: parts.content.quoteTerms,
      tax: paymentConfig.tax === true,
    } as const;
  }
  const { checkout, plan, order, quote } = CHECKOUT_PAGES;

  const answers = new ResponseCache(version);
  function answerFor(view: CheckoutView) {
    return answers.get(JSON.stringify(view), async () => {
      const { renderCheckout } = await import('./render.server.tsx');
      const html = await renderCheckout(assets.entry, dataFor(view));
      const isSecret = view.page !== 'checkout' || view.quoted || view.returning;
      const policies = isSecret ? headers.secretPage : headers.checkout;
      return cachedText(html, { ...HTML_TYPE, ...policies });
    });
  }

  function dataFor(view: CheckoutView): CheckoutDocument {
    if (view.page === 'order') {
      const { vendorFile } = parts.content;
      return { page: 'order', site, provider, vendorFile };
    }
    if (view.page === 'quote') return { ...quotePage(), ...view, token: '', quote: null };
    const plans = catalogue.current().plans;
    const tax = paymentConfig.tax === true;
    const { custom } = parts.content.home.pricing;
    return { ...view, site, plans, prices: catalogue.addOnPrices(), provider, tax, custom };
  }

  /** The browser reads the rest of the URL, which must not make the server render. */
  function viewAt(query: URLSearchParams, pathPlanId?: string): CheckoutView {
    const quoted = query.has(QUOTE_PARAMETER);
    const returning = query.has(RETURN_PARAMETER) || query.has(PLACED_PARAMETER);
    const { plans } = catalogue.current();
    const plan = quoted || returning ? undefined : findNamedPlan(plans, query, pathPlanId);
    return { page: 'checkout', planId: plan?.id ?? null, returning, quoted };
  }

  function allViews(): CheckoutView[] {
    const shop = { page: 'checkout', planId: null, returning: false, quoted: false } as const;
    return [
      { page: 'order' },
      { page: 'quote', unknown: false },
      { page: 'quote', unknown: true },
      shop,
      ...catalogue.current().plans.map(({ id }) => ({ ...shop, planId: id })),
      { ...shop, returning: true },
      { ...shop, quoted: true },
      { ...shop, returning: true, quoted: true },
    ];
  }

  async function respond({ raw }: HonoRequest, view: CheckoutView): Promise<Response> {
    return (await answerFor(view)).response(raw.headers);
  }

  return {
    /** The page of this document that a path leads to, without a plan's id or a quote's token. */
    pageOf(path: string): string | undefined {
      if (path === order.path || path === checkout.path) return path;
      if (path.startsWith(`${checkout.path}/`)) return checkout.path;
      const shown = withoutToken(path);
      return shown === path ? undefined : shown;
    },
    all: () => allViews().map((view) => () => answerFor(view)),
    routes(app: App): void {
      app.get(order.path, ({ req }) => respond(req, { page: 'order' }));
      app.on('GET', [quote.path, `${quote.path}/`], async ({ req, env }) => {
        const token = req.param('token') ?? '';
        // Often copied with the end of a sentence.
        const [cleaned = ''] = /^[\w-]*/.exec(token) ?? [];
        if (cleaned !== '' && fillPath(quote.path, cleaned) !== req.path) {
          const Location = fillPath(quote.path, cleaned);
          return new Response(null, { status: 302, headers: { Location, ...headers.secretPage } });
        }
        const answer = await quoteOnPage(parts, {
          token,
          limitKey: limitKey(parts.clientIp(env.incoming)),
        });
        if (answer === null || answer === 'unknown')
          return respond(req, { page: 'quote', unknown: answer === 'unknown' });
        const view = { unknown: false, token, quote: quoteView.parse(answer) };
        const { renderCheckout } = await import('./render.server.tsx');
        const html = await renderCheckout(assets.entry, { ...quotePage(), ...view });
        return new Response(html, { headers: { ...HTML_TYPE, ...headers.secretPage } });
      });
      for (const path of [checkout.path, plan.path]) {
        app.get(path, ({ req }) =>
          respond(req, viewAt(new URL(req.url).searchParams, req.param('planId'))),
        );
      }
    },
  };
}
