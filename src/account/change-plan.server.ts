/**
 * A customer changes the users or the backup of a running plan: what it comes to is shown first, and confirmed at that
 * price. The provider makes the change, and the order follows what the provider says.
 */
import { type AddOnPrices, type PriceLine, priceLinesOf } from '../catalogue/pricing.ts';
import { followNow, type OrderDeps } from '../orders/follow-payment.server.ts';
import { isNotDone, type Outcome, type SubscriptionChange } from '../orders/gateway.server.ts';
import { type PlanOptions, planOptions, samePlanOptions } from '../orders/order.ts';
import type { Order } from '../orders/order-store.server.ts';
import { type Cents, cents, toDollars } from '../platform/money.ts';

export interface ChangeDeps extends OrderDeps {
  addOnPrices(): AddOnPrices;
}

interface Wanted extends PlanOptions {
  /** What the page showed. */
  from: PlanOptions;
}

/** What was shown before the change is confirmed: the moment of the preview, and the next bill in all. */
interface Shown {
  at: number;
  next: Cents;
}

/** How long a price that was shown can be confirmed. */
const SHOWN_MS = 15 * 60 * 1000;
const NEW_PRICE = { refused: 'The price has changed. Please look at it again.' };
const BY_CUSTOMER = 'changed by the customer';

/** What the change would come to, from now on. */
export async function previewChange(deps: ChangeDeps, order: Order, wanted: Wanted) {
  const refusal = changeRefusal(order, wanted);
  if (refusal) return refusal;
  const at = await deps.gateway.now();
  const lines = linesWith(order, wanted, deps.addOnPrices().cloudBackup);
  const preview = await deps.gateway.subscriptions.preview(order, { lines, at });
  if (isNotDone(preview)) return preview;
  const { monthly, difference, next } = preview;
  return {
    at: new Date(at).toISOString(),
    monthly: toDollars(monthly),
    difference: toDollars(difference),
    next: {
      at: new Date(next.at).toISOString(),
      total: toDollars(next.total),
      tax: toDollars(next.tax),
    },
  };
}

/**
 * Makes the change. A raise counts from the moment that was shown. A change that takes something off counts from now:
 * a customer could raise and lower again as of the same moment, and would have paid for nothing in between.
 */
export async function changePlan(
  deps: ChangeDeps,
  order: Order,
  wanted: Wanted,
  shown: Shown,
): Promise<Outcome> {
  const { gateway, addOnPrices } = deps;
  const current = planOptions(priceLinesOf(order));
  // The answer to an earlier request was lost.
  if (samePlanOptions(wanted, current) && !samePlanOptions(wanted, wanted.from)) return 'done';
  const refusal = changeRefusal(order, wanted);
  if (refusal) return refusal;
  const now = await gateway.now();
  if (shown.at > now || shown.at < now - SHOWN_MS) return NEW_PRICE;
  let change: SubscriptionChange = {
    lines: linesWith(order, wanted, addOnPrices().cloudBackup),
    at: shown.at,
  };
  let preview = await gateway.subscriptions.preview(order, change);
  if (!isNotDone(preview) && preview.difference < 0) {
    change = { ...change, at: now };
    preview = await gateway.subscriptions.preview(order, change);
  }
  if (isNotDone(preview)) return preview;
  // Seconds that have passed since may come to a cent.
  if (preview.next.total > shown.next + 1) return NEW_PRICE;
  const outcome = await gateway.subscriptions.change(order, change);
  if (outcome !== 'done') return outcome;
  const followed = await followNow(deps, order, BY_CUSTOMER);
  return followed === 'unavailable' ? followed : 'done';
}

/** Why an order is not changed in the way that its customer wants, in words for them. */
function changeRefusal(order: Order, wanted: Wanted): { refused: string } | undefined {
  const current = planOptions(priceLinesOf(order));
  if (order.status === 'past_due')
    return { refused: 'Your last payment is overdue. Please replace your card first.' };
  if (order.status !== 'paid')
    return { refused: 'This plan isn’t running, so it can’t be changed.' };
  if (order.endsAt !== null)
    return { refused: 'Your plan is set to end. Choose “Keep my plan” before you change it.' };
  if (order.ms365Option === 'none')
    return { refused: 'Your plan has no Microsoft 365 users to change. Please call us.' };
  if (!samePlanOptions(wanted.from, current))
    return {
      refused: 'Your plan has changed since you opened this page. Please look at it again.',
    };
  return samePlanOptions(wanted, current)
    ? { refused: 'That’s the plan you have already.' }
    : undefined;
}

/** What was bought keeps the price at which it was bought; a new backup has the price of the day. */
function linesWith(
  order: Order,
  { users, backup }: PlanOptions,
  { label, pricePerUser }: AddOnPrices['cloudBackup'],
): PriceLine[] {
  const known = priceLinesOf(order);
  const newBackup = { kind: 'backup', label, unitPrice: pricePerUser } as const;
  return [
    ...known.filter(({ kind }) => kind === 'plan'),
    ...[
      ...known.filter(({ kind }) => kind === 'microsoft365'),
      ...(backup ? [known.find(({ kind }) => kind === 'backup') ?? newBackup] : []),
    ].map((line) => ({ ...line, quantity: users, amount: cents(line.unitPrice * users) })),
  ];
}
