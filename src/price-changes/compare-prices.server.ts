/** What running orders pay, against the catalogue's prices on a day. */
import { billedMonths } from '../billing/invoice-store.server.ts';
import { awaitsPayment, isOver, ORDER_STATUSES } from '../billing/order-status.ts';
import { selectProviderOrders } from '../billing/order-store.server.ts';
import type { ProviderMode } from '../billing/provider-mode.server.ts';
import {
  fullLines,
  type SubscribedOrder,
  withSubscriptions,
} from '../billing/subscription-store.server.ts';
import { addOnPricesOn, pricedOn } from '../catalogue/catalogue-content.server.ts';
import {
  isAtPrices,
  isHigher,
  lineOf,
  type PriceLine,
  repriced,
  withDiscount,
} from '../catalogue/pricing.ts';
import { startOfDay } from '../company/days.ts';
import { MAX_LISTED } from '../limits.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { cents } from '../platform/money.ts';
import { discountAt } from '../quotes/quote.ts';
import type { Site } from '../site.server.ts';
import { earliestCharge, firstMonth, firstRenewal } from './first-charge.server.ts';

/** An order with what it would pay at the prices of a day. */
export interface Compared {
  order: SubscribedOrder;
  before: PriceLine[];
  after: PriceLine[];
  /**
   * The first charge at the new prices if notice is given now; null when they are the same, or the
   * plan ends before.
   */
  firstChargeAt: number | null;
}

/** What orders, or this one, pay each month, and would pay; no lines if that is by agreement. */
export async function comparePrices(
  context: Site,
  day: string,
  orderId?: number,
): Promise<Compared[]> {
  const { db, gateway } = context;
  const orders = await billedOrders(db, gateway, orderId);
  const billed = await billedMonths(
    db,
    orders.map(({ id }) => id),
  );
  const start = startOfDay(context.company, day);
  return orders.map((order) => {
    const before = fullLines(order);
    // Under the name that the order has, whatever the catalogue calls it today.
    const prices = catalogueLines(context, order, day).map((priced) => ({
      ...priced,
      label: before.find(({ kind }) => kind === priced.kind)?.label ?? priced.label,
    }));
    const after = repriced(before, prices);
    const earliest = earliestCharge(Date.now(), start, isHigher(before, after));
    const months = billed.get(order.id) ?? firstMonth(context.company, order);
    const firstChargeAt = isAtPrices(before, prices) ? null : firstRenewal(months, earliest);
    const ends = (order.subscription.cancelAt ?? Infinity) <= (firstChargeAt ?? 0);
    return ends
      ? { order, before, after: before, firstChargeAt: null }
      : { order, before, after, firstChargeAt };
  });
}

/** The newest that the present provider bills, or will: by invoice also what is not paid yet. */
async function billedOrders(db: Db, mode: ProviderMode, id?: number): Promise<SubscribedOrder[]> {
  const orders: SubscribedOrder[] = [];
  for (const status of ORDER_STATUSES.filter((each) => !isOver(each))) {
    const ofStatus = selectProviderOrders(db, mode).where('orders.status', '=', status);
    const billed = awaitsPayment(status)
      ? ofStatus.where('subscriptions.status', '!=', 'incomplete')
      : ofStatus;
    const asked =
      id === undefined
        ? billed.orderBy('createdAt', 'desc').limit(MAX_LISTED)
        : billed.where('id', '=', id);
    orders.push(...(await withSubscriptions(db, await asked.execute())));
  }
  return orders;
}

/** The prices of the day for what the order has; a plan that is no longer sold keeps its own. */
function catalogueLines(
  { content: { addOns, plans } }: Site,
  order: SubscribedOrder,
  day: string,
): PriceLine[] {
  const { planId, ms365Option } = order;
  const plan = plans.find(({ id }) => id === planId);
  const { microsoft365, cloudBackup } = addOnPricesOn(addOns, day);
  const license = ms365Option === 'none' ? undefined : microsoft365[ms365Option];
  const full = plan && pricedOn(plan, day);
  const off = full ? discountAt(full.price, order) : cents(0);
  return [
    // The discount of a quote stays.
    ...withDiscount(full ? [lineOf('plan', full.name, cents(full.price - off))] : [], {
      ...order,
      discountCents: off,
    }),
    ...(license ? [lineOf('microsoft365', license.label, license.pricePerUser)] : []),
    lineOf('backup', cloudBackup.label, cloudBackup.pricePerUser),
  ];
}
