/** What an announced price makes of a provider's report, and that report of the price. */
import { isAtPrices, type PriceLine, parseLines, repriced } from '../catalogue/pricing.ts';
import type { PaymentState, PricesToCome } from './gateway.server.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';
import { comesAt, holdsAt, isOpen, mayBeThere } from './notice.ts';
import { type Notice, SAME_RENEWAL_MS } from './notice-store.server.ts';
import type { EventOf } from './order-event.server.ts';

export function pricesOf({ fromLines, toLines }: Pick<Notice, 'fromLines' | 'toLines'>) {
  return {
    from: parseLines(fromLines),
    to: parseLines(toLines),
  };
}

export function concernsLines(notice: Notice, lines: readonly PriceLine[]): boolean {
  const { from, to } = pricesOf(notice);
  return !isAtPrices(repriced(lines, from), to);
}

/** Whether one of these lines is at its new price. */
export function hasNewPrice(notice: Notice, lines: readonly PriceLine[]): boolean {
  const { from, to } = pricesOf(notice);
  return lines.some((line) => isAtPrices([line], to) && !isAtPrices([line], from));
}

/** Lines whose prices the provider may charge because of the notice. */
export function expectedLines(notice: Notice | undefined): PriceLine[] {
  if (!notice) return [];
  const { from, to } = pricesOf(notice);
  return [...(notice.state === 'charged' ? [] : from), ...(mayBeThere(notice) ? to : [])];
}

/** The prices that will hold at the provider, and from which renewal on. */
export function pricesToCome(notice: Notice | undefined): PricesToCome | undefined {
  const comes = comesAt(notice);
  return notice && comes !== undefined
    ? { prices: pricesOf(notice).to, at: comes - SAME_RENEWAL_MS }
    : undefined;
}

/** Until the renewal, today's price holds, also when the provider has the new one. */
export function asToday(
  report: PaymentState,
  notice: Notice | undefined,
  now: number,
): PaymentState {
  const { monthlyTax: _taxToCome, ...others } = report;
  if (!notice || !report.lines || holdsAt(notice, now) || !mayBeThere(notice)) return report;
  const { from, to } = pricesOf(notice);
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
export function settleNotice(notice: Notice, invoices: readonly ReportedInvoice[]) {
  const events: (EventOf<'old-price-charged'> | Pick<Charged, 'kind' | 'amount'>)[] = [];
  let to: Partial<Notice> = {};
  const startOf = ({ periodStart, createdAt }: ReportedInvoice) => periodStart ?? createdAt;
  for (const invoice of invoices.toSorted((one, other) => startOf(one) - startOf(other))) {
    const { renewal, lines, amountCents: amount, number, id, periodEnd, status } = invoice;
    const now = { ...notice, ...to };
    if (!isOpen(now) || !renewal || !lines?.length || !periodEnd) continue;
    if (!holdsAt(now, startOf(invoice) + SAME_RENEWAL_MS)) continue;
    // No one pays what was voided: billing is paused, or staff corrected it.
    const isBilled = status !== 'void';
    if (isBilled && isAtPrices(lines, pricesOf(notice).to)) {
      events.push({ kind: 'new-price-charged', amount });
      to = { ...to, state: 'charged' };
      continue;
    }
    if (isBilled) events.push({ kind: 'old-price-charged', invoice: number ?? id, amount });
    // The provider may have the new prices, a month early: the next run takes them away again.
    to = { state: notice.state, effectiveAt: periodEnd, setUpAt: null };
  }
  return { to, after: { ...notice, ...to }, events };
}
