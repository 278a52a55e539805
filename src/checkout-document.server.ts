/** The checkout and the page of one order. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { inDollars } from './catalogue/catalogue-calls.server.ts';
import { readChoice } from './checkout/choice.ts';
import { ORDER_PAGE } from './checkout/order-page-address.ts';
import type { DocumentGround } from './documents.server.ts';
import { takesTax } from './payment/payment.ts';
import { PageCache, sendPage } from './platform/page-cache.server.ts';
import type { Site } from './platform/site.ts';
import { renderCheckout } from './render.server.tsx';

/** The variants of a checkout are many (1,000 user counts), and no-store: a few are kept, and cheaply made. */
const CHECKOUTS_KEPT = 100;

export function checkoutRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  site: Site,
  ground: DocumentGround,
): void {
  const { catalogue, assets, headers, paymentConfig } = ground;
  const cache = new PageCache(CHECKOUTS_KEPT, 5);

  app.get(ORDER_PAGE, ({ req }) => {
    const { provider } = paymentConfig;
    const page = cache.page(ORDER_PAGE, catalogue.version(), headers.checkout, () => ({
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
      const page = cache.page(key, catalogue.version(), headers.checkout, () => ({
        body: renderCheckout(assets.entry, {
          page: 'checkout',
          site,
          plans: plans.map(inDollars),
          prices,
          choice,
          provider: paymentConfig.provider,
          tax: takesTax(paymentConfig),
          receipts: ground.receipts,
        }),
        status: 200,
      }));
      return sendPage(page, req.header('accept-encoding'), undefined);
    });
  }
}
