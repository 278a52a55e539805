/** Invoices that are sent: finalized, mailed, then paid by debit, by wire, or outside. */
import { intentOf, invoiceUnpaid, settleInvoice, subscriptionOf, waiveInvoice } from './billing.ts';
import { type Invoice, shownInvoice } from './billing-objects.ts';
import { invalid } from './errors.ts';
import { makeBankCharge, makePaymentIntent, type PaymentIntent } from './objects.ts';
import { retrieve, save, type World } from './world.ts';

const SECONDS_A_DAY = 24 * 60 * 60;

/** `POST /v1/invoices/:id/finalize`, or what Stripe does itself an hour after it made a draft. */
export const finalize = (world: World, id: string): Invoice => {
  const invoice = retrieve(world.invoice, id);
  if (invoice.status !== 'draft')
    throw invalid(`Invoice ${id} is already finalized.`, { code: 'invoice_not_editable' });
  const subscription = subscriptionOf(world, invoice);
  invoice.status = 'open';
  invoice.number = `FAKE-${id.slice(-8)}`;
  invoice.hosted_invoice_url = `https://invoice.stripe.com/i/${id}`;
  invoice.due_date = world.now() + (subscription.days_until_due ?? 0) * SECONDS_A_DAY;
  // Nothing is left to pay once a credit has paid all of it.
  if (invoice.amount_due === 0) {
    world.emit('invoice.finalized', shownInvoice(invoice));
    settleInvoice(world, invoice, null);
    return invoice;
  }
  const intent = save(
    world.payment_intent,
    makePaymentIntent(invoice.customer, invoice.amount_due),
  );
  const payment = { payment_intent: intent.id };
  invoice.payments.data.push({ is_default: true, payment, status: 'open' });
  world.emit('invoice.finalized', shownInvoice(invoice));
  return invoice;
};

/** `POST /v1/invoices/:id/send`: test mode sends no mail, but the event. */
export const send = (world: World, id: string): Invoice => {
  const invoice = retrieve(world.invoice, id);
  if (invoice.status !== 'open') throw invalid(`Invoice ${id} is ${invoice.status}.`);
  world.emit('invoice.sent', shownInvoice(invoice));
  return invoice;
};

const paying = (world: World, id: string): { invoice: Invoice; intent: PaymentIntent } => {
  const invoice = retrieve(world.invoice, id);
  const intent = intentOf(world, invoice);
  if (!intent || invoice.status !== 'open')
    throw invalid(`Invoice ${id} is ${invoice.status}; nothing is left to pay.`);
  return { invoice, intent };
};

/** `POST /v1/invoices/:id/pay` with `paid_out_of_band`: nothing is charged. */
export const payOutside = (world: World, id: string): Invoice => {
  const { invoice, intent } = paying(world, id);
  if (intent.status === 'processing')
    throw invalid(`A payment of invoice ${id} is processing.`, { code: 'invoice_payment_intent' });
  intent.status = 'canceled';
  const before = invoice.amount_paid;
  settleInvoice(world, invoice, null);
  invoice.amount_paid = before;
  invoice.amount_paid_off_stripe = invoice.amount_due - before;
  return invoice;
};

/** What customers, banks, staff and time do to invoices. */
export const invoiceControls = (world: World) => {
  const show = (type: string, invoice: Invoice): void => world.emit(type, shownInvoice(invoice));
  return {
    /** Stripe finalizes a renewal's draft an hour after it was made. */
    finalize: (id: string) => finalize(world, id),

    /** The customer pays on the hosted page by bank debit, or Stripe debits; it takes days. */
    startDebit(id: string): void {
      const { invoice, intent } = paying(world, id);
      invoice.attempted = true;
      intent.status = 'processing';
      intent.last_payment_error = null;
      world.emit('payment_intent.processing', intent);
    },

    /** The bank refuses the debit before it has paid. */
    refuseDebit(id: string): void {
      const { invoice, intent } = paying(world, id);
      intent.status = 'requires_payment_method';
      const code = 'debit_not_authorized';
      const payment_method = { type: 'us_bank_account' };
      intent.last_payment_error = { type: 'card_error', code, message: 'R01', payment_method };
      save(world.charge, makeBankCharge(intent, 'us_bank_account', false));
      world.emit('payment_intent.payment_failed', intent);
      invoiceUnpaid(world, invoice, false);
    },

    /** The money has arrived. */
    receiveMoney(id: string, by: 'us_bank_account' | 'customer_balance'): void {
      const { invoice, intent } = paying(world, id);
      intent.status = 'succeeded';
      intent.amount_received = intent.amount;
      intent.latest_charge = save(world.charge, makeBankCharge(intent, by)).id;
      world.emit('payment_intent.succeeded', intent);
      settleInvoice(world, invoice, null);
    },

    /** A transfer of less than what is due pays what came, and the invoice stays open. */
    receivePart(id: string, amount: number): void {
      const { invoice, intent } = paying(world, id);
      const part = save(world.payment_intent, makePaymentIntent(invoice.customer, amount));
      part.status = 'succeeded';
      part.amount_received = amount;
      part.latest_charge = save(world.charge, makeBankCharge(part, 'customer_balance')).id;
      const payment = { payment_intent: part.id };
      invoice.payments.data.push({ is_default: false, payment, status: 'paid' });
      invoice.amount_paid += amount;
      intent.amount -= amount;
      show('invoice.updated', invoice);
    },

    /** Staff credit a part of what is still open. */
    creditPart(id: string, amount: number): void {
      const { invoice, intent } = paying(world, id);
      invoice.pre_payment_credit_notes_amount += amount;
      invoice.amount_due -= amount;
      intent.amount -= amount;
      show('invoice.updated', invoice);
      if (invoice.amount_due === invoice.amount_paid) settleInvoice(world, invoice, null);
    },

    /** Staff have the money from elsewhere, and say so in the dashboard. */
    payOutside: (id: string) => payOutside(world, id),

    /** Staff write off an unpaid invoice in the dashboard. */
    waiveInvoice: (id: string, how: 'void' | 'uncollectible') =>
      waiveInvoice(world, retrieve(world.invoice, id), how),

    /** The addresses of all invoices' pages end, as after some 30 days, and others come. */
    movePages(): void {
      for (const invoice of world.invoice.values())
        if (invoice.hosted_invoice_url) invoice.hosted_invoice_url += '/moved';
    },

    /** The due date passes; Stripe has events about it only where automations are set up. */
    passDueDate(id: string): void {
      const invoice = retrieve(world.invoice, id);
      const subscription = subscriptionOf(world, invoice);
      invoice.due_date = world.now() - 1;
      subscription.status = 'past_due';
      world.emit('customer.subscription.updated', subscription);
    },
  };
};
