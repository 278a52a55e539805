/** What a provider's report says of an order's charges that was not known. */
import { differs } from '../platform/database/queries.server.ts';
import { cents } from '../platform/money.ts';
import type { Charge, ReportedCharge } from './charge-store.server.ts';

const UNKNOWN = {
  invoiceId: null,
  feeCents: null,
  refundedCents: cents(0),
  disputedCents: cents(0),
  lostCents: cents(0),
  dispute: null,
  cardBrand: null,
  cardLast4: null,
};

export interface NewsOfCharges {
  all: Charge[];
  /** Those that are not stored like this. */
  changed: Charge[];
  newlyDisputed: Pick<Charge, 'invoiceId' | 'amountCents'>[];
}

export function newsOfCharges(
  { id: orderId, charges }: { id: number; charges: readonly Charge[] },
  reported: readonly ReportedCharge[],
): NewsOfCharges {
  const stored = new Map(charges.map((charge) => [charge.id, charge]));
  const rows = new Map(stored);
  const newlyDisputed: NewsOfCharges['newlyDisputed'] = [];
  for (const charge of reported) {
    const before = { ...UNKNOWN, ...rows.get(charge.id) };
    const row: Charge = { ...before, ...charge, orderId };
    const more = cents(row.disputedCents - before.disputedCents);
    if (more > 0 && row.dispute === 'open')
      newlyDisputed.push({ invoiceId: row.invoiceId, amountCents: more });
    const { dispute, disputedCents, refundedCents, lostCents } = before;
    // What was lost stays lost, however it is reported later.
    if ((charge.lostCents ?? 0) < lostCents)
      Object.assign(row, { dispute, disputedCents, refundedCents, lostCents });
    rows.set(row.id, row);
  }
  const all = [...rows.values()];
  return { all, changed: all.filter((row) => differs(stored.get(row.id), row)), newlyDisputed };
}
