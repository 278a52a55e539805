/** What an announced price makes of a provider's report, and that report of the price. */
import { isAtPrices, isSold, type PriceLine, repriced } from '../catalogue/pricing.ts';
import type { PaymentState, PricesToCome } from './gateway.server.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';
import { comesAt, holdsAt, isOpen, mayBeThere } from './notice.ts';
import { type Notice, SAME_RENEWAL_MS } from './notice-store.server.ts';
import type { EventOf } from './order-event.server.ts';
import { planOptions, samePlanOptions } from './subscription.ts';

/** Whether one of these lines is at its new price. */
export function hasNewPrice({ from, to }: Notice, lines: readonly PriceLine[]): boolean {
  return lines.some((line) => isAtPrices([line], to) && !isAtPrices([line], from));
}

/** Lines whose prices the provider may charge because of the notice. */
export function expectedLines(notice: Notice | undefined): PriceLine[] {
  if (!notice) return [];
  const { state, from, to } = notice;
  const lines = [...(state === 'charged' ? [] : from), ...(mayBeThere(notice) ? to : [])];
  return lines.filter(isSold);
}

/** The prices that will hold at the provider, and from which renewal on. */
export function pricesToCome(notice: Notice | undefined): PricesToCome | undefined {
  const comes = comesAt(notice);
  return notice && comes !== undefined
    ? { prices: notice.to, at: comes - SAME_RENEWAL_MS }
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
  const lines = report.lines.flatMap((line) =>
    isAtPrices([line], notice.to) ? repriced([line], notice.from) : line,
  );
  return isAtPrices(report.lines, lines) ? report : { ...others, lines };
}

interface SettledNotice {
  to: Partial<Notice>;
  events: (EventOf<'old-price-charged'> | Omit<EventOf<'new-price-charged'>, 'monthly'>)[];
}

/**
 * What a report makes of a notice to an order that `had` these lines: it was charged, if a renewal
 * was billed at its prices; else it is withdrawn, if the order has nothing left of what it names;
 * else a renewal at the old prices, as after an outage, moves it to the next one.
 */
export function settleNotice(
  notice: Notice,
  { invoices = [], lines }: Pick<PaymentState, 'invoices' | 'lines'>,
  had: readonly PriceLine[],
): SettledNotice {
  const settled: SettledNotice = { to: {}, events: [] };
  if (!isOpen(notice)) return settled;
  const { from, to } = notice;
  const startOf = ({ periodStart, createdAt }: ReportedInvoice) => periodStart ?? createdAt;
  for (const invoice of invoices.toSorted((one, other) => startOf(one) - startOf(other))) {
    const { renewal, lines: billed, amountCents: amount, periodEnd, status } = invoice;
    if (!renewal || !billed?.length || !periodEnd) continue;
    if (!holdsAt({ ...notice, ...settled.to }, startOf(invoice) + SAME_RENEWAL_MS)) continue;
    // No one pays what was voided: billing is paused, or staff corrected it.
    const isBilled = status !== 'void';
    if (isBilled && isAtPrices(billed, to)) {
      settled.to.state = 'charged';
      settled.events.push({ kind: 'new-price-charged', amount });
      return settled;
    }
    const name = invoice.number ?? invoice.id;
    if (isBilled) settled.events.push({ kind: 'old-price-charged', invoice: name, amount });
    // The provider may have the new prices, a month early: the next run takes them away again.
    settled.to = { effectiveAt: periodEnd, setUpAt: null };
  }
  if (!lines) return settled;
  if (isAtPrices(repriced(lines, from), to))
    return { to: { state: 'withdrawn', reason: 'nothing-left' }, events: [] };
  // What was added since the new prices were set up is to get them too.
  const isOther = !samePlanOptions(planOptions(had), planOptions(lines));
  if (isOther && notice.setUpAt !== null) settled.to.setUpAt = null;
  return settled;
}
