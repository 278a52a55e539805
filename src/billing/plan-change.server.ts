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

export function planEvents(
  { options, changes }: NonNullable<ReturnType<typeof planChange>>,
  before: Order,
  after: Order,
): Draft[] {
  const monthly = monthlyOf(after);
  return [
    ...(options ? [{ event: { ...options, monthly, was: monthlyOf(before) } }] : []),
    ...(changes.length > 0
      ? [{ event: { kind: 'lines-changed' as const, changes, monthly } }]
      : []),
  ];
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
  const isKnown = (line: PriceLine) =>
    known.some(({ kind, unitPrice }) => kind === line.kind && unitPrice === line.unitPrice);
  const pairs = after.map((line) => ({ line, had: offerIn(before, line) }));
  const kept = pairs.flatMap(({ line, had }) =>
    had && line.kind !== 'discount' ? [{ line, had, was: had.unitPrice }] : [],
  );
  const added = pairs.filter(({ line, had }) => !had && !isSold(line));
  const repriced = kept.filter(
    ({ line, had, was }) =>
      (line.unitPrice !== was || isExact(line) !== isExact(had)) && !isKnown(line),
  );
  const resized = kept.filter(
    ({ line, had }) => !isForUsers(line) && line.quantity !== had.quantity,
  );
  const removed = before.filter((line) =>
    line.kind === 'plan'
      ? after.every(({ kind }) => kind !== 'plan')
      : !isSold(line) && !after.some((one) => isSameOffer(one, line)),
  );
  return [
    ...added.map(({ line }): LineChange => ({ what: 'added', line, was: line.unitPrice })),
    ...repriced.map(({ line, was }): LineChange => ({ what: 'repriced', line, was })),
    ...resized.map(({ line, had, was }): LineChange => {
      const more = line.quantity - had.quantity;
      const others = lineOf(line.kind, line.label, line.unitPrice, Math.abs(more));
      return { what: more > 0 ? 'added' : 'removed', line: others, was };
    }),
    ...removed.map((line): LineChange => ({ what: 'removed', line, was: line.unitPrice })),
  ];
}

/** Staff may sell one product at two prices. */
function offerIn(lines: readonly PriceLine[], line: PriceLine): PriceLine | undefined {
  const same = lines.filter((one) => isSameOffer(one, line));
  return same.find(({ unitPrice }) => unitPrice === line.unitPrice) ?? same[0];
}
