/** What an announced price makes of a provider's report, and that report of the price. */
import { isAtPrices, type PriceLine, parseLines, repriced } from '../catalogue/pricing.ts';
import type { PaymentState, PricesToCome } from './gateway.server.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';
import type { EventOf } from './order-event.server.ts';
import { comesAt, holdsAt, isOpen, mayBeThere } from './price-change.ts';
import { type PriceChange, SAME_RENEWAL_MS } from './price-change-store.server.ts';

export function pricesOf({ fromLines, toLines }: Pick<PriceChange, 'fromLines' | 'toLines'>) {
  return {
    from: parseLines(fromLines),
    to: parseLines(toLines),
  };
}

export function concernsLines(change: PriceChange, lines: readonly PriceLine[]): boolean {
  const { from, to } = pricesOf(change);
  return !isAtPrices(repriced(lines, from), to);
}

/** Lines whose prices the provider may charge because of the change. */
export function expectedLines(change: PriceChange | undefined): PriceLine[] {
  if (!change) return [];
  const { from, to } = pricesOf(change);
  return [...(change.state === 'charged' ? [] : from), ...(mayBeThere(change) ? to : [])];
}

/** The prices that will hold at the provider, and from which renewal on. */
export function pricesToCome(change: PriceChange | undefined): PricesToCome | undefined {
  const comes = comesAt(change);
  return change && comes !== undefined
    ? { prices: pricesOf(change).to, at: comes - SAME_RENEWAL_MS }
    : undefined;
}

/** Until the renewal, today's price holds, also when the provider has the new one. */
export function asToday(
  report: PaymentState,
  change: PriceChange | undefined,
  now: number,
): PaymentState {
  const { monthlyTax: _taxToCome, ...others } = report;
  if (!change || !report.lines || holdsAt(change, now) || !mayBeThere(change)) return report;
  const { from, to } = pricesOf(change);
  const lines = report.lines.flatMap((line) =>
    isAtPrices([line], to) ? repriced([line], from) : line,
  );
  return isAtPrices(report.lines, lines) ? report : { ...others, lines };
}

type Charged = EventOf<'new-price-charged'>;

/**
 * What the order's renewals make of the change: it is over once one was billed at the new prices.
 * One that was billed at the old prices, as after an outage, moves it to the next renewal.
 */
export function settlePriceChange(change: PriceChange, invoices: readonly ReportedInvoice[]) {
  const events: (EventOf<'old-price-charged'> | Pick<Charged, 'kind' | 'amount'>)[] = [];
  let to: Partial<PriceChange> = {};
  const startOf = ({ periodStart, createdAt }: ReportedInvoice) => periodStart ?? createdAt;
  for (const invoice of invoices.toSorted((one, other) => startOf(one) - startOf(other))) {
    const { renewal, lines, amountCents: amount, number, id, periodEnd, status } = invoice;
    const now = { ...change, ...to };
    if (!isOpen(now) || !renewal || !lines?.length) continue;
    if (!holdsAt(now, startOf(invoice) + SAME_RENEWAL_MS)) continue;
    // No one pays what was voided: billing is paused, or staff corrected it.
    const isBilled = status !== 'void';
    if (isBilled && isAtPrices(lines, pricesOf(change).to)) {
      events.push({ kind: 'new-price-charged', amount });
      return { to: { ...to, state: 'charged' as const }, events };
    }
    if (isBilled) events.push({ kind: 'old-price-charged', invoice: number ?? id, amount });
    // The provider may have the new prices, a month early: the next run takes them away again.
    const next = periodEnd ?? now.effectiveAt + SAME_RENEWAL_MS * 2;
    to = { state: change.state, effectiveAt: next, setUpAt: null };
  }
  return { to, events };
}
