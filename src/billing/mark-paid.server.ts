/** Money of an invoice that came to the company in another way, by a check for example. */

import { type Cents, cents } from '../platform/money.ts';
import { followReport } from './apply-report.server.ts';
import type { Order } from './billed-order.server.ts';
import { type Actor, byProvider } from './cause.server.ts';
import { invoiceStateOf } from './invoice.ts';
import { firstOwed, type Invoice, type ReportedInvoice } from './invoice-store.server.ts';
import { askProvider } from './order-event-store.server.ts';
import { lockOrder } from './order-store.server.ts';
import { isNotDone, type Outcome } from './outcome.server.ts';
import { type OrderContext, refreshDecided } from './refresh-order.server.ts';

interface Payment {
  reference: string;
  /** What came; all that is owed by default. The invoice counts as paid, whatever the sum. */
  amount?: Cents | undefined;
  actor: Extract<Actor, { is: 'staff' }>;
}

/** Staff have the money of the invoice that was owed first. */
export async function markPaid(
  context: OrderContext,
  decidedOn: Order,
  { reference, amount, actor }: Payment,
): Promise<Outcome> {
  const { gateway } = context;
  // A part may have come that no one has seen, and would count as a part of this.
  const order = await refreshDecided(context, decidedOn);
  if (isNotDone(order)) return order;
  const invoice = firstOwed(order);
  if (!invoice) return { refused: 'No invoice of this order is owed' };
  if (invoiceStateOf(invoice) === 'debit_under_way')
    return { refused: 'A bank debit is under way. Please wait until the bank has decided.' };
  const { id, number, amountRemainingCents: due } = invoice;
  // Before the provider is asked, or a server that dies then loses it.
  await note(context, invoice, { reference, markedPaidById: actor.account });
  const press = { kind: 'paid-outside-asked' as const, invoice: id, number, due };
  const asked = { press: { ...press, amount: amount ?? due }, actor };
  const report = { invoices: [paidOutside(order, invoice)] };
  const marked = await askProvider(context, order.id, asked, async (pressId) => {
    // What the bank took back later counts as paid at the provider.
    const outcome = invoice.status === 'paid' ? 'done' : await gateway.markPaid(order, id, pressId);
    const cause = byProvider(gateway, pressId);
    if (outcome === 'done') await followReport(context, order, report, cause);
    return outcome;
  });
  if (!isNotDone(marked)) return 'done';
  if (marked !== 'unavailable')
    await note(context, invoice, { reference: null, markedPaidById: null });
  return marked;
}

function note(
  { db }: OrderContext,
  { id, orderId }: Invoice,
  facts: Pick<Invoice, 'reference' | 'markedPaidById'>,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await lockOrder(trx, orderId);
    await trx.updateTable('invoices').set(facts).where('id', '=', id).execute();
  });
}

/** As the provider will report it. The sum that came is read from the press. */
function paidOutside({ invoices }: Order, invoice: Invoice): ReportedInvoice {
  const { id, createdAt, amountCents } = invoice;
  return {
    ...{ id, createdAt, amountCents, amountPaidCents: amountCents },
    renewal: invoice !== invoices.at(-1),
    status: 'paid',
    amountRemainingCents: cents(0),
    paidOutOfBand: 1,
    paidAt: Date.now(),
  };
}
