/** The table of charges: money that moved, as the payment provider last reported it. */
import { differs } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import { cardName, type Dispute } from './subscription.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    charges: {
      id: string;
      orderId: number;
      /** The invoice that it paid. */
      invoiceId: string | null;
      amountCents: Cents;
      /** What the provider kept; null while that is unknown. */
      feeCents: Cents | null;
      /** Decreases when a refund fails. */
      refundedCents: Cents;
      dispute: Dispute | null;
      /** The card that paid, such as 'Visa' and '4242'. */
      cardBrand: string | null;
      cardLast4: string | null;
    };
  }
}

export type Charge = Row<'charges'>;
/** As a payment provider reports it; what is left out keeps its stored value. */
export type ReportedCharge = Pick<Charge, 'id' | 'amountCents' | 'refundedCents'> &
  Partial<Omit<Charge, 'orderId'>>;

const UNKNOWN = {
  invoiceId: null,
  feeCents: null,
  dispute: null,
  cardBrand: null,
  cardLast4: null,
};

/** What a report says of an order's charges that was not known. */
export interface NewsOfCharges {
  /** All of the order's. */
  all: Charge[];
  /** Those that are not stored like this. */
  changed: Charge[];
  newlyDisputed: Charge[];
}

export function newsOfCharges(
  { id: orderId, charges }: { id: number; charges: readonly Charge[] },
  reported: readonly ReportedCharge[],
): NewsOfCharges {
  const rows = new Map(charges.map((charge) => [charge.id, charge]));
  const newlyDisputed: Charge[] = [];
  for (const charge of reported) {
    const before = rows.get(charge.id);
    const row: Charge = { ...UNKNOWN, ...before, ...charge, orderId };
    // One that was won may be disputed again, or lost in the end.
    if (before?.dispute === 'lost') row.dispute = 'lost';
    const isNew = before?.dispute !== 'open' && before?.dispute !== row.dispute;
    if (row.dispute !== null && isNew) newlyDisputed.push(row);
    rows.set(row.id, row);
  }
  const all = [...rows.values()];
  const changed = all.filter((row) =>
    differs(
      charges.find(({ id }) => id === row.id),
      row,
    ),
  );
  return { all, changed, newlyDisputed };
}

export async function saveCharges(trx: Db, charges: readonly Charge[]): Promise<void> {
  for (const row of charges)
    await trx
      .insertInto('charges')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
}

/** The charge of the card that paid the invoice; undefined when no card did. */
export function cardCharge(charges: readonly Charge[], invoiceId: string): Charge | undefined {
  return charges.find((charge) => charge.invoiceId === invoiceId && charge.cardLast4);
}

/** 'Visa ending in 4242'; null when no card paid. */
export function cardInWords(charges: readonly Charge[], invoiceId: string): string | null {
  const paid = cardCharge(charges, invoiceId);
  return paid?.cardLast4 ? cardName(paid.cardBrand ?? 'Card', paid.cardLast4) : null;
}
