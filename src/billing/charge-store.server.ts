/** The table of charges: money that moved, as the payment provider last reported it. */
import type { Generated } from 'kysely';
import type { Db, Row } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import { cardName, type Dispute } from './subscription.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    charges: {
      id: string;
      orderId: number;
      invoiceId: string | null;
      amountCents: Cents;
      /** What the provider kept; null while that is unknown. */
      feeCents: Cents | null;
      /** What went back, by refunds or lost disputes. Decreases when a refund fails. */
      refundedCents: Cents;
      /** The sum of all disputes about it, whatever became of them. */
      disputedCents: Generated<Cents>;
      /** The sum of the lost disputes, also where a part of it had been refunded before. */
      lostCents: Generated<Cents>;
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
