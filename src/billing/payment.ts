/** How an order, a quote or a month is paid: in every answer the same way. */
import * as z from 'zod/mini';
import { fallback, textOrNull } from '../platform/schema.ts';
import { INVOICE_STATES, type InvoiceState } from './invoice.ts';
import { COLLECTIONS, type Collection } from './subscription.ts';

export interface Payment {
  collection: Collection;
  /** What has become of what is asked for by invoice; null before, and where a card is charged. */
  state: InvoiceState | null;
  /** The company's day that it is due on, such as '2026-12-13'. */
  dueDay: string | null;
}

export const BY_CARD: Payment = { collection: 'card', state: null, dueDay: null };

export const paymentField = fallback(
  z.object({
    collection: z.enum(COLLECTIONS),
    state: fallback(z.nullable(z.enum(INVOICE_STATES)), null),
    dueDay: textOrNull,
  }),
  BY_CARD,
);
