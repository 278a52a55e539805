/** An order follows what the provider charges each month, on anyone's change. */

import {
  isExact,
  isSold,
  type PriceLine,
  priceLinesOf,
  withDiscount,
  withKnownDiscount,
} from '../catalogue/pricing.ts';
import { differs } from '../platform/database/queries.server.ts';
import { cents } from '../platform/money.ts';
import type { PaymentState } from './gateway.server.ts';
import type { EventOf } from './order-event.server.ts';
import type { Order } from './order-store.server.ts';
import { expectedLines, type PriceChange } from './price-change-store.server.ts';
import { planOptions, type Sold, samePlanOptions } from './subscription.ts';
import { chargedFor } from './subscription-store.server.ts';

/** A provider charges what is left of a plan's price, and knows nothing of a quote's discount. */
export function withDiscounts(
  state: PaymentState,
  order: Order,
  announced: PriceChange | undefined,
): PaymentState {
  const bought = withDiscount(priceLinesOf({ priceLines: order.boughtLines }), order);
  const known = [...bought, ...expectedLines(announced)];
  return {
    ...state,
    ...(state.lines && { lines: withKnownDiscount(state.lines, known) }),
    ...(state.invoices && {
      invoices: state.invoices.map((invoice) =>
        invoice.lines ? { ...invoice, lines: withKnownDiscount(invoice.lines, known) } : invoice,
      ),
    }),
  };
}

/** What changes when the provider charges other lines; prices that were `announced` are no news. */
export function planChange(
  order: Order,
  { lines, monthlyTax, sold }: Pick<PaymentState, 'lines' | 'monthlyTax' | 'sold'>,
  announced?: PriceChange,
) {
  if (!lines) return undefined;
  const { subscription } = order;
  const storedLines = priceLinesOf(subscription);
  const columns = chargedFor(subscription, lines, monthlyTax);
  if (!differs(subscription, columns)) return undefined;
  const [before, after] = [planOptions(storedLines), planOptions(lines)];
  const options = samePlanOptions(before, after)
    ? undefined
    : { kind: 'changed' as const, before, after };
  const changes = changedByStaff(storedLines, lines, expectedLines(announced));
  return { columns, sold: soldColumns(order, sold, after.plan), options, changes };
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
  const isSame = (one: PriceLine) => (other: PriceLine) =>
    one.kind === other.kind && (one.kind === 'backup' || one.label === other.label);
  const changed = after.flatMap((line): LineChange[] => {
    const had = before.find(isSame(line));
    if (!had) return isSold(line) ? [] : [{ what: 'added', line, was: line.unitPrice }];
    const was = had.unitPrice;
    const isSamePrice = line.unitPrice === was && isExact(line) === isExact(had);
    if (line.kind === 'discount' || isSamePrice) return [];
    const isKnown = ({ kind, unitPrice }: PriceLine) =>
      kind === line.kind && unitPrice === line.unitPrice;
    return known.some(isKnown) ? [] : [{ what: 'repriced', line, was }];
  });
  const removed = before.filter((line) =>
    line.kind === 'plan'
      ? after.every(({ kind }) => kind !== 'plan')
      : !isSold(line) && !after.some(isSame(line)),
  );
  return [
    ...changed,
    ...removed.map((line) => ({ what: 'removed' as const, line, was: line.unitPrice })),
  ];
}
