import {
  type BillingReason,
  dueOf,
  type Invoice,
  type LineSource,
  makeInvoice,
  makeInvoicePayment,
  type Span,
  type Subscription,
} from './billing-objects.ts';
import { makePaymentIntent } from './objects.ts';
import { refer, rowsOf, save, type World } from './world.ts';

/** What is billed, and for which period of use. */
export interface Bill {
  reason: BillingReason;
  sources: readonly LineSource[];
  period: Span;
}

export const draftInvoice = (world: World, subscription: Subscription, bill: Bill): Invoice => {
  const customer = refer(world, 'customer', subscription.customer, 'customer');
  const { invoice, lines } = makeInvoice(world, { customer, subscription, ...bill });
  for (const line of lines) save(world, 'invoice_line', line);
  subscription.latest_invoice = invoice.id;
  return save(world, 'invoice', invoice);
};

/** From now on it can be paid: with the intent for that, when anything is due. */
export const finalizeInvoice = (world: World, invoice: Invoice): Invoice => {
  const customer = refer(world, 'customer', invoice.customer, 'customer');
  const numbered = rowsOf(world, 'invoice', (row) => row.customer === customer.id && !!row.number);
  const { due, left } = dueOf(invoice.total, customer.balance);
  Object.assign(invoice, {
    amount_due: due,
    amount_remaining: due,
    ending_balance: left,
    number: `${customer.id.slice(-8).toUpperCase()}-${String(numbered.length + 1).padStart(4, '0')}`,
    status: 'open',
  });
  customer.balance = left;
  if (due > 0) {
    const { currency } = invoice;
    const intent = makePaymentIntent(world, { amount: due, currency, customer: customer.id });
    save(world, 'payment_intent', intent);
    save(world, 'invoice_payment', makeInvoicePayment(world, invoice, intent.id));
  }
  return invoice;
};
