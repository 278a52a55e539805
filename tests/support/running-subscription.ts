/** Orders at the fake Stripe, created without going through the checkout. */
import { expect } from 'vitest';
import type { Gateway } from '../../src/billing/gateway.server.ts';
import { PaymentChecks } from '../../src/billing/refresh-order.server.ts';
import type { PriceLine } from '../../src/catalogue/pricing.ts';
import type { Notify } from '../../src/notifications/notification.server.ts';
import { stripeClient } from '../../src/payments/stripe/stripe-client.server.ts';
import { stripeGateway } from '../../src/payments/stripe/stripe-gateway.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { fromDollars } from '../../src/platform/money.ts';
import type { FakeStripe } from './fake-stripe/fake-stripe.ts';
import { ownContent } from './own-content.ts';
import { line, savedOrder } from './saved-order.ts';
import { PURCHASE, type StripeShop } from './stripe-shop.ts';

const GOOD = '4242424242424242';
/** Can be saved, but is declined when it is charged. */
export const REFUSED_LATER = '4000000000000341';
export const ASKS = '4000002500003155';
export const ASKS_ALWAYS = '4000002760003184';

/** The price lines of `PURCHASE` for another number of users; 0 means the plan alone. */
export function month(users: number, backup = true): PriceLine[] {
  const lines = [line('plan', 85_000)];
  if (users > 0) lines.push(line('microsoft365', 1250, users));
  if (users > 0 && backup) lines.push(line('backup', 495, users));
  return lines;
}

/** A fresh gateway with nothing cached, as in another process. */
function openGateway(fake: FakeStripe, db: Db): Gateway {
  const { secretKey, publishableKey, webhookSecret, url: apiUrl } = fake;
  const settings = { secretKey, publishableKey, webhookSecret, apiUrl, live: false, tax: false };
  const { company } = ownContent();
  return stripeGateway(stripeClient(settings), settings, { db, company });
}

export function openSubscriptions({ fake, app }: StripeShop) {
  const gateway = openGateway(fake, app.database.db);
  return { gateway, subscriptions: gateway.subscriptions };
}

/** What the site's intervals work with. */
export function intervalsOf({ fake, app }: StripeShop, notify: Notify = async () => undefined) {
  const { db } = app.database;
  const { company } = ownContent();
  const paymentChecks = new PaymentChecks();
  return { db, notify, gateway: openGateway(fake, db), company, paymentChecks };
}

export function subscriptionsAt(shop: StripeShop) {
  /** Saved here, but unknown to Stripe. */
  const newOrder = () => {
    const { planId, ms365Option, ms365Users, amount } = PURCHASE;
    return savedOrder(shop.app.database.db, {
      planId,
      ms365Option,
      planName: 'Professional',
      amountCents: fromDollars(amount),
      priceLines: JSON.stringify(month(ms365Users)),
    });
  };
  return {
    newOrder,
    open: () => openSubscriptions(shop).subscriptions,
    /** An order at Stripe, paid with this card; null leaves it unpaid. */
    async running({ card = GOOD }: { card?: string | null } = {}) {
      const row = await newOrder();
      const begun = await openSubscriptions(shop).gateway.start(row);
      if (typeof begun === 'string') throw new Error(begun);
      if (card) shop.fake.confirmCard(begun.clientSecret ?? '', card);
      const { due: _, ...ids } = begun;
      const order = { ...row, subscription: { ...row.subscription, ...ids } };
      const subscription = shop.fake.state.subscription.get(begun.subscriptionId ?? '');
      const [item] = subscription?.items.data ?? [];
      if (!subscription || !item) throw new Error('there is no subscription at Stripe');
      const { current_period_start: start, current_period_end: end } = item;
      return { order, subscription, period: { start, end } };
    },
  };
}

export const refused = (words: string) => ({ refused: expect.stringContaining(words) });
