/** The checkout and the page of one order. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono, HonoRequest } from 'hono';
import {
  PLACED_PARAMETER,
  QUOTE_PARAMETER,
  RETURN_PARAMETER,
} from '../checkout/checkout-address.ts';
import type { CheckoutDocument } from '../checkout/checkout-data.ts';
import { readChoice, withPresetUsers } from '../checkout/choice.ts';
import { takesTax } from '../payments/payment-shapes.ts';
import { HTML_TYPE } from '../platform/http/answer.server.ts';
import { finishedText } from '../platform/http/finished-answer.server.ts';
import { FinishedCache } from '../platform/http/finished-cache.server.ts';
import type { Site } from '../platform/site.ts';
import { CHECKOUT_PAGES } from '../routes.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import type { CheckoutRenderer } from './render.server.tsx';

export function checkoutRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  site: Site,
  deps: DocumentDeps,
  render: CheckoutRenderer,
): void {
  const { catalogue, headers, paymentConfig, receipts } = deps;
  const { checkout, plan, order, quote } = CHECKOUT_PAGES;
  const cache = new FinishedCache();
  const version = () => `${catalogue.version()} ${JSON.stringify(deps.addOnPrices())}`;

  const answer = ({ raw }: HonoRequest, key: string, data: () => CheckoutDocument) =>
    cache
      .get(key, version(), () => {
        const shown = data();
        const set = shown.page === 'checkout' ? headers.checkout : headers.secretPage;
        return finishedText(render(shown), { ...HTML_TYPE, ...set });
      })
      .response(raw.headers);

  app.get(order.path, ({ req }) => {
    const { provider } = paymentConfig;
    return answer(req, order.path, () => ({ page: 'order', site, provider, receipts }));
  });

  // The same for every token: whose quote it is, the browser asks.
  app.get(quote.path, ({ req }) =>
    answer(req, quote.path, () => ({ page: 'quote', site, receipts })),
  );

  for (const path of [checkout.path, plan.path]) {
    app.get(path, ({ req }) => {
      const plans = catalogue.current().plans;
      const { searchParams } = new URL(req.url);
      const asked = readChoice(searchParams, req.param('planId'), plans);
      const { choice, usersAwaited } = withPresetUsers(asked, plans);
      const returning = searchParams.has(RETURN_PARAMETER) || searchParams.has(PLACED_PARAMETER);
      const quoted = searchParams.has(QUOTE_PARAMETER);
      const key = JSON.stringify([choice, usersAwaited, returning, quoted]);
      return answer(req, key, () => ({
        page: 'checkout',
        site,
        plans,
        prices: deps.addOnPrices(),
        choice,
        usersAwaited,
        returning,
        quoted,
        provider: paymentConfig.provider,
        tax: takesTax(paymentConfig),
        receipts,
      }));
    });
  }
}
