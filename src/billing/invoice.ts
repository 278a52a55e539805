/** What a customer is asked to pay for a month, and what has become of it. */
import * as z from 'zod/mini';
import { fallback, textOrNull } from '../platform/schema.ts';
import { COLLECTIONS } from './subscription.ts';

/** The provider's own. A draft asks for nothing yet, so it is not stored. */
export const INVOICE_STATUSES = ['open', 'paid', 'uncollectible', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** The newest attempt to pay: the bank decides, has refused, or wants it confirmed. */
export type PaymentAttempt = 'processing' | 'failed' | 'requires_action';

/** What matters most comes first; the last three are settled. */
export const INVOICE_STATES = [
  'debit_returned',
  'overdue',
  'debit_under_way',
  'sent',
  'paid',
  'paid_out_of_band',
  'void',
] as const;
/** What has become of an invoice that a customer pays by bank, as people read it. */
export type InvoiceState = (typeof INVOICE_STATES)[number];

interface InvoiceFacts {
  status: InvoiceStatus;
  attempt: PaymentAttempt | null;
  /** Null where a card is charged. */
  dueDay: string | null;
  overdue: 0 | 1;
  paidOutOfBand: 0 | 1;
}

/**
 * A debit that the bank returns after it had paid the invoice leaves it owed again. What a card did
 * not pay is overdue, once staff have the plan billed by invoice.
 */
export function invoiceStateOf({
  status,
  attempt,
  dueDay,
  overdue,
  paidOutOfBand,
}: InvoiceFacts): InvoiceState {
  if (paidOutOfBand) return 'paid_out_of_band';
  if (status === 'void' || status === 'uncollectible') return 'void';
  if (attempt === 'failed')
    return status === 'open' && dueDay === null ? 'overdue' : 'debit_returned';
  if (status === 'paid') return 'paid';
  if (attempt === 'processing') return 'debit_under_way';
  return overdue ? 'overdue' : 'sent';
}

/** Whether staff or the customer can still do something about the invoice. */
export function isOwed(state: InvoiceState | null): state is InvoiceState {
  return state !== null && INVOICE_STATES.indexOf(state) < INVOICE_STATES.indexOf('paid');
}

/** Of the states of an order's invoices, newest first, the one that stands for all. */
export function mostPressing(states: readonly InvoiceState[]): InvoiceState | undefined {
  return INVOICE_STATES.filter(isOwed).find((state) => states.includes(state)) ?? states[0];
}

const payment = z.object({
  collection: z.enum(COLLECTIONS),
  /** What has become of what is asked for by invoice; null before, and where a card is charged. */
  state: fallback(z.nullable(z.enum(INVOICE_STATES)), null),
  dueDay: textOrNull,
});
/** How an order, a quote or a month is paid: in every answer the same way. */
export type CollectionState = z.output<typeof payment>;

export const BY_CARD: CollectionState = { collection: 'card', state: null, dueDay: null };
export const paymentField = fallback(payment, BY_CARD);
