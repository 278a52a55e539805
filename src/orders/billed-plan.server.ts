/**
 * An order follows what the provider charges each month, whether its customer or staff have changed
 * it.
 */
import { lineInWords, type PriceLine, priceLinesOf } from '../catalogue/pricing.ts';
import { cents, formatDollars, totalOf } from '../platform/money.ts';
import { planInWords, planOptions, salesTax, samePlanOptions } from './order.ts';
import type { Order } from './order-store.server.ts';
import { expectedLines, type PriceChange } from './price-change-store.server.ts';

/**
 * What changes when the provider charges other lines each month; undefined when it charges the
 * same. Prices that were `announced` are no news to staff.
 */
export function planChange(order: Order, lines: readonly PriceLine[], announced?: PriceChange) {
  const storedLines = priceLinesOf(order);
  if (JSON.stringify(lines) === JSON.stringify(storedLines)) return undefined;
  const [before, after] = [planOptions(storedLines), planOptions(lines)];
  const otherOptions = !samePlanOptions(before, after);
  const amountCents = totalOf(lines);
  const tax = Math.round((salesTax(order) * amountCents) / Math.max(1, order.amountCents));
  const columns: Partial<Order> = {
    ms365Users: after.users,
    includeCloudBackup: after.backup ? 1 : 0,
    priceLines: JSON.stringify(lines),
    amountCents,
    dueCents: cents(amountCents + tax),
    previousPlan: otherOptions ? planInWords(order) : undefined,
  };
  const alerts = pricesChangedByStaff(storedLines, lines, expectedLines(announced));
  return { columns, otherOptions, alerts };
}

/** What a customer cannot change, and staff therefore changed at the payment provider. */
function pricesChangedByStaff(
  before: readonly PriceLine[],
  after: readonly PriceLine[],
  known: readonly PriceLine[],
): string[] {
  const isSame = (one: PriceLine) => (other: PriceLine) =>
    one.kind === other.kind && (one.kind !== 'other' || one.label === other.label);
  const changed = after.flatMap((line) => {
    const storedLine = before.find(isSame(line));
    if (!storedLine) return line.kind === 'backup' ? [] : [`Added: ${lineInWords(line)}`];
    if (line.kind === 'discount' || line.unitPrice === storedLine.unitPrice) return [];
    const isKnown = ({ kind, unitPrice }: PriceLine) =>
      kind === line.kind && unitPrice === line.unitPrice;
    if (known.some(isKnown)) return [];
    const [from, to] = [storedLine.unitPrice, line.unitPrice].map(formatDollars);
    return [`Price changed: ${line.label}, ${from} → ${to}`];
  });
  const removed = before.filter((line) => line.kind !== 'backup' && !after.some(isSame(line)));
  return [...changed, ...removed.map((line) => `Removed: ${lineInWords(line)}`)];
}
