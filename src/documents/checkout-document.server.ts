/** The checkout and the page of one order. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { readChoice, withPresetUsers } from '../checkout/choice.ts';
import { takesTax } from '../payment/payment-shapes.ts';
import { PageCache, sendPage } from '../platform/http/page-cache.server.ts';
import type { Site } from '../platform/site.ts';
import { CHECKOUT_PAGES } from '../routes.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import { renderCheckout } from './render.server.tsx';

export function checkoutRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  site: Site,
  deps: DocumentDeps,
): void {
  const { catalogue, assets, headers, paymentConfig } = deps;
  const { checkout, plan, order } = CHECKOUT_PAGES;
  const cache = new PageCache();
  const version = () => `${catalogue.version()} ${JSON.stringify(deps.addOnPrices())}`;

  app.get(order.path, ({ req }) => {
    const { provider } = paymentConfig;
    const page = cache.page(order.path, version(), headers.checkout, () => ({
      body: renderCheckout(assets.entry, { page: 'order', site, provider }),
      status: 200,
    }));
    return sendPage(page, req.header('accept-encoding'), undefined);
  });

  for (const path of [checkout.path, plan.path]) {
    app.get(path, ({ req }) => {
      const plans = catalogue.current().plans;
      const asked = readChoice(new URL(req.url).searchParams, req.param('planId'), plans);
      const { choice, usersAwaited } = withPresetUsers(asked, plans);
      const key = JSON.stringify([choice, usersAwaited]);
      const page = cache.page(key, version(), headers.checkout, () => ({
        body: renderCheckout(assets.entry, {
          page: 'checkout',
          site,
          plans,
          prices: deps.addOnPrices(),
          choice,
          usersAwaited,
          provider: paymentConfig.provider,
          tax: takesTax(paymentConfig),
          receipts: deps.receipts,
        }),
        status: 200,
      }));
      return sendPage(page, req.header('accept-encoding'), undefined);
    });
  }
}
