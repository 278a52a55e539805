/** Customers change users or backup of a running plan, confirming the price of a preview. */

import { byCustomer } from '../billing/cause.server.ts';
import { followForVisitor, followNow } from '../billing/follow-payment.server.ts';
import { isNotDone, type Outcome, type SubscriptionChange } from '../billing/gateway.server.ts';
import type { Order } from '../billing/order-store.server.ts';
import { findPriceChange, pricesToCome } from '../billing/price-change-store.server.ts';
import {
  type PlanOptions,
  payingWords,
  planOptions,
  samePlanOptions,
} from '../billing/subscription.ts';
import { type AddOnPrices, type PriceLine, priceLinesOf } from '../catalogue/pricing.ts';
import { type Cents, cents, toDollars } from '../platform/money.ts';
import { isoTime } from '../platform/time.ts';
import type { Site } from '../site.server.ts';

interface PlanChange extends PlanOptions {
  /** The plan that the page showed. */
  from: PlanOptions;
}

/** The preview that the customer confirms: its time, and the total of the next invoice. */
interface ShownPreview {
  at: number;
  next: Cents;
}

/** How long a previewed price can be confirmed. */
const PREVIEW_MS = 15 * 60 * 1000;
/** Providers count whole seconds. */
const thisSecond = () => Math.floor(Date.now() / 1000) * 1000;
const NEW_PRICE = { refused: 'The price has changed. Please look at it again.' };

/** The price of the change if made now, on top of what staff have changed at the provider. */
export async function previewChange(context: Site, shownOrder: Order, change: PlanChange) {
  const order = await followForVisitor(context, shownOrder, byCustomer('change-priced'));
  if (order === 'unavailable') return order;
  const refusal = changeRefusal(order, change);
  if (refusal) return refusal;
  const at = thisSecond();
  const lines = linesWith(order, change, context.catalogue.addOnPrices().cloudBackup);
  const preview = await context.gateway.subscriptions.preview(order, {
    lines,
    at,
    toCome: pricesToCome(await findPriceChange(context.db, order.id)),
  });
  if (isNotDone(preview)) return preview;
  const { monthly, difference, next } = preview;
  return {
    at: isoTime(at),
    monthly: monthly === null ? null : toDollars(monthly),
    difference: difference === null ? null : toDollars(difference),
    next: {
      at: isoTime(next.at),
      total: toDollars(next.total),
      tax: toDollars(next.tax),
    },
  };
}

/** A change takes effect at the previewed time, so that it costs what was shown. */
export async function changePlan(
  context: Site,
  shownOrder: Order,
  requested: PlanChange,
  shown: ShownPreview,
): Promise<Outcome> {
  const { gateway, catalogue } = context;
  // A price that staff have changed at the provider must not be changed back.
  const order = await followNow(context, shownOrder, byCustomer('change-confirmed'));
  if (order === 'unavailable') return order;
  const current = planOptions(priceLinesOf(order.subscription));
  // A retry: the change was made, and its answer was lost.
  if (samePlanOptions(requested, current) && !samePlanOptions(requested, requested.from))
    return 'done';
  const refusal = changeRefusal(order, requested);
  if (refusal) return refusal;
  const now = thisSecond();
  if (shown.at > now || shown.at < now - PREVIEW_MS) return NEW_PRICE;
  const change: SubscriptionChange = {
    lines: linesWith(order, requested, catalogue.addOnPrices().cloudBackup),
    at: shown.at,
    confirmedAt: now,
    toCome: pricesToCome(await findPriceChange(context.db, order.id)),
  };
  const preview = await gateway.subscriptions.preview(order, change);
  if (isNotDone(preview)) return preview;
  if (preview.next.total > shown.next) return NEW_PRICE;
  const outcome = await gateway.subscriptions.change(order, change);
  if (outcome !== 'done') return outcome;
  const followed = await followNow(context, order, byCustomer('changed'));
  return followed === 'unavailable' ? followed : 'done';
}

/** Why the plan cannot be changed like this, for the customer to read. */
function changeRefusal(order: Order, change: PlanChange): { refused: string } | undefined {
  const current = planOptions(priceLinesOf(order.subscription));
  if (order.status === 'past_due')
    return {
      refused: `Your last payment is overdue. Please ${payingWords(order.subscription).toPay} first.`,
    };
  if (order.status !== 'paid')
    return { refused: 'This plan isn’t running, so it can’t be changed.' };
  if (order.subscription.cancelAt !== null)
    return { refused: 'Your plan is set to end. Choose “Keep my plan” before you change it.' };
  if (order.ms365Option === 'none')
    return { refused: 'Your plan has no Microsoft 365 users to change. Please call us.' };
  if (!samePlanOptions(change.from, current))
    return {
      refused: 'Your plan has changed since you opened this page. Please look at it again.',
    };
  return samePlanOptions(change, current)
    ? { refused: 'That’s the plan you have already.' }
    : undefined;
}

/** What the customer can change. Lines keep their unit price; new backup gets today's. */
function linesWith(
  order: Order,
  { users, backup }: PlanOptions,
  { label, pricePerUser }: AddOnPrices['cloudBackup'],
): PriceLine[] {
  const lines = priceLinesOf(order.subscription);
  const newBackup = { kind: 'backup', label, unitPrice: pricePerUser } as const;
  return [
    ...lines.filter(({ kind }) => kind === 'plan'),
    ...[
      ...lines.filter(({ kind }) => kind === 'microsoft365'),
      ...(backup ? [lines.find(({ kind }) => kind === 'backup') ?? newBackup] : []),
    ].map((line) => ({ ...line, quantity: users, amount: cents(line.unitPrice * users) })),
  ];
}
