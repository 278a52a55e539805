/** What changes of an order's plan when the provider charges other lines. */
import {
  isExact,
  isSameOffer,
  isSold,
  lineOf,
  type PriceLine,
  parseLines,
} from '../catalogue/pricing.ts';
import { differs } from '../platform/database/queries.server.ts';
import { cents } from '../platform/money.ts';
import type { Order } from './billed-order.server.ts';
import { monthlyOf } from './event-facts.server.ts';
import type { PaymentState } from './gateway.server.ts';
import type { Notice } from './notice-store.server.ts';
import type { EventOf } from './order-event.server.ts';
import type { Draft } from './order-event-store.server.ts';
import { expectedLines } from './settle-notice.server.ts';
import { planOptions, type Sold, samePlanOptions } from './subscription.ts';
import { chargedFor } from './subscription-store.server.ts';

/** What changes when the provider charges other lines; prices of a notice are no news. */
export function planChange(
  order: Order,
  { lines, monthlyTax, sold }: Pick<PaymentState, 'lines' | 'monthlyTax' | 'sold'>,
  notice?: Notice,
) {
  if (!lines) return undefined;
  const { subscription } = order;
  const storedLines = parseLines(subscription.priceLines);
  const columns = chargedFor(subscription, lines, monthlyTax);
  if (!differs(subscription, columns)) return undefined;
  const [before, after] = [planOptions(storedLines), planOptions(lines)];
  const options = samePlanOptions(before, after)
    ? undefined
    : { kind: 'changed' as const, before, after };
  const changes = changedByStaff(storedLines, lines, expectedLines(notice));
  return { columns, sold: soldColumns(order, sold, after.plan), options, changes };
}

export function* planEvents(
  { options, changes }: NonNullable<ReturnType<typeof planChange>>,
  before: Order,
  after: Order,
): Generator<Draft, void> {
  const monthly = monthlyOf(after);
  if (options) yield { event: { ...options, monthly, was: monthlyOf(before) } };
  if (changes.length > 0) yield { event: { kind: 'lines-changed', changes, monthly } };
}

/** What the order is from now on; a quote's discount was on the plan that it had. */
function soldColumns(order: Order, sold: Sold | undefined, planName = order.planName) {
  if (!sold) return undefined;
  const isOtherPlan = sold.planId !== order.planId;
  return {
    ...sold,
    ...(isOtherPlan && { planName, discountPercent: null, discountCents: cents(0) }),
  };
}

type LineChange = EventOf<'lines-changed'>['changes'][number];

/** What a customer cannot change, and staff therefore changed at the payment provider. */
function changedByStaff(
  before: readonly PriceLine[],
  after: readonly PriceLine[],
  known: readonly PriceLine[],
): LineChange[] {
  const [users, usersNow] = [planOptions(before).users, planOptions(after).users];
  // Backup follows the users, whose number is a change of the plan.
  const isForUsers = ({ kind, quantity }: PriceLine) =>
    kind === 'microsoft365' || (kind === 'backup' && users !== usersNow && quantity === usersNow);
  const changed = after.flatMap((line): LineChange[] => {
    // Staff may sell one product at two prices.
    const same = before.filter((one) => isSameOffer(one, line));
    const had = same.find(({ unitPrice }) => unitPrice === line.unitPrice) ?? same[0];
    if (!had) return isSold(line) ? [] : [{ what: 'added', line, was: line.unitPrice }];
    if (line.kind === 'discount') return [];
    const was = had.unitPrice;
    const isSamePrice = line.unitPrice === was && isExact(line) === isExact(had);
    const isKnown = ({ kind, unitPrice }: PriceLine) =>
      kind === line.kind && unitPrice === line.unitPrice;
    const changes: LineChange[] = [];
    if (!isSamePrice && !known.some(isKnown)) changes.push({ what: 'repriced', line, was });
    const more = isForUsers(line) ? 0 : line.quantity - had.quantity;
    const others = lineOf(line.kind, line.label, line.unitPrice, Math.abs(more));
    if (more !== 0) changes.push({ what: more > 0 ? 'added' : 'removed', line: others, was });
    return changes;
  });
  const removed = before.filter((line) =>
    line.kind === 'plan'
      ? after.every(({ kind }) => kind !== 'plan')
      : !isSold(line) && !after.some((one) => isSameOffer(one, line)),
  );
  return [
    ...changed,
    ...removed.map((line) => ({ what: 'removed' as const, line, was: line.unitPrice })),
  ];
}
