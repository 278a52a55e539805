/** The table of subscriptions: what runs for each order, as last reported. */
import type { Generated } from 'kysely';
import { type Price, type PriceLine, parseLines, priceOf } from '../catalogue/pricing.ts';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db, NewRow, Row } from '../platform/database/tables.server.ts';
import { type Cents, cents, totalOf } from '../platform/money.ts';
import type { PaymentAttempt } from './invoice.ts';
import type { Collection, SubscriptionStatus } from './subscription.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** One for each order, made with it. */
    subscriptions: {
      orderId: number;
      /** The provider's name in the code, such as 'test'. */
      provider: string;
      /** 1: made while real cards were charged. */
      live: Flag;
      collection: Collection;
      /** How many days each invoice may be paid in; null when a card is charged. */
      daysUntilDue: number | null;
      status: Generated<SubscriptionStatus>;
      /** The newest attempt to pay the first month by card, until it is paid. */
      attempt: PaymentAttempt | null;
      paymentId: string | null;
      clientSecret: string | null;
      customerId: string | null;
      /** The customer as last reported: JSON of `PaymentState['customer']`. */
      seenCustomer: string | null;
      subscriptionId: string | null;
      cancelAt: number | null;
      /** What the company owes the customer there; the next bill would use it. */
      creditCents: Generated<Cents>;
      /** What changes have left for the next bill, before tax: JSON of `WaitingItem[]`. */
      waiting: Generated<string>;
      /** Such as 'year', where staff have set it up so; null: each month. */
      billedEvery: string | null;
      /** What is charged each time: JSON of `PriceLine[]`. */
      priceLines: string;
      amountCents: Cents;
      /** A monthly invoice's total, with sales tax. Null until the provider has reported it. */
      totalCents: Cents | null;
      /** The first payment, with sales tax. Null until the provider has reported it. */
      dueCents: Cents | null;
    };
  }
}

export type Subscription = Row<'subscriptions'>;
export type NewSubscription = Omit<NewRow<'subscriptions'>, 'orderId'>;

export type SubscribedOrder = Row<'orders'> & { subscription: Subscription };

/** In the same sequence. */
export async function withSubscriptions(
  db: Db,
  orders: readonly Row<'orders'>[],
): Promise<SubscribedOrder[]> {
  const found = new Map<number, Subscription>();
  for (const ids of chunk(orders.map(({ id }) => id))) {
    const rows = db.selectFrom('subscriptions').selectAll().where('orderId', 'in', ids);
    for (const row of await rows.execute()) found.set(row.orderId, row);
  }
  return orders.flatMap((order) => {
    const subscription = found.get(order.id);
    return subscription ? [{ ...order, subscription }] : [];
  });
}

/** Whether the provider has a payment or a subscription for the order. */
export function wasStarted({ paymentId, subscriptionId }: Subscription): boolean {
  return paymentId !== null || subscriptionId !== null;
}

/** What it is charged for these lines; where the tax on them is not known, at today's rate. */
export function chargedFor(
  subscription: Subscription,
  lines: readonly PriceLine[],
  monthlyTax?: Cents,
) {
  const amountCents = totalOf(lines);
  const tax = (salesTax(subscription) * amountCents) / Math.max(1, subscription.amountCents);
  const totalCents = cents(amountCents + (monthlyTax ?? Math.round(tax)));
  return { priceLines: JSON.stringify(lines), amountCents, totalCents };
}

/** What is charged each month, and beside it. */
export function monthlyPriceOf({ subscription, boughtOnce, startsOn }: SubscribedOrder): Price {
  const { status } = subscription;
  const isToCome = status === 'incomplete' || status === 'trialing';
  return priceOf(parseLines(subscription.priceLines), salesTax(subscription), {
    once: parseLines(boughtOnce),
    startsOn: isToCome ? startsOn : null,
  });
}

/** All that is charged each month, but for discounts and credits; none where it is by agreement. */
export function fullLines({ subscription }: SubscribedOrder): PriceLine[] {
  if (!isMonthly(subscription)) return [];
  return parseLines(subscription.priceLines).filter(({ amount }) => amount >= 0);
}

/** The price that was accepted, before tax. */
export function boughtPrice(order: SubscribedOrder): Price {
  const { boughtLines, boughtOnce, startsOn } = order;
  const once = parseLines(boughtOnce);
  return priceOf(parseLines(boughtLines), undefined, { once, startsOn });
}

/** The day on which it starts, once that is certain; null from then on. */
export function scheduledStart({ subscription, startsOn }: SubscribedOrder): string | null {
  return subscription.status === 'trialing' ? startsOn : null;
}

function salesTax({ amountCents, totalCents }: Subscription): Cents {
  return cents(Math.max(0, (totalCents ?? 0) - amountCents));
}

/** What is billed in another way has no sum of a month: it is by agreement. */
export function isMonthly({ billedEvery }: Pick<Subscription, 'billedEvery'>): boolean {
  return billedEvery === null;
}

/** Without real money, anyone can type anyone's name and address into an order for free. */
export function paysRealMoney({ live }: Pick<Subscription, 'live'>): boolean {
  return live === 1;
}
