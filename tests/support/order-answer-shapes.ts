/** What the answers about orders and payments look like. */
import * as z from 'zod/mini';
import { count, dollars, id, time } from './answer-parts.ts';

export const startedPayment = z.strictObject({
  clientSecret: z.string(),
  orderId: id,
  amount: dollars,
});
export const orderFields = {
  id,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  company: z.nullable(z.string()),
  planId: id,
  paymentMethod: z.literal('credit_card'),
  ms365Option: z.enum(['none', 'business_standard', 'business_premium', 'e3']),
  ms365Users: count,
  includeCloudBackup: z.boolean(),
  status: z.enum(['pending', 'processing', 'paid', 'failed', 'canceled', 'past_due', 'refunded']),
  amount: dollars,
  tax: dollars,
  paymentId: z.nullable(z.string()),
  createdAt: time,
  planName: z.string(),
  lines: z.array(
    z.strictObject({
      kind: z.enum(['plan', 'microsoft365', 'backup']),
      label: z.string(),
      unitPrice: dollars,
      quantity: count,
      amount: dollars,
    }),
  ),
  refunded: dollars,
  endsAt: z.nullable(time),
  quote: z.nullable(z.string()),
};
const dispute = z.nullable(z.enum(['open', 'won', 'lost']));
/** Staff who set a status are told no address. */
const ownersOrder = z.strictObject({ ...orderFields, page: z.nullable(z.string()) });
const staffsOrder = z.strictObject({
  ...orderFields,
  page: z.null(),
  dispute,
  history: z.array(z.strictObject({ status: z.string(), at: time, cause: z.string() })),
  notes: z.array(z.strictObject({ at: time, note: z.string() })),
  providerPage: z.nullable(z.string()),
});
/** As its owner sees it, or as staff do. */
export const order = z.union([ownersOrder, staffsOrder]);
export const orders = z.strictObject({
  orders: z.array(z.strictObject({ ...orderFields, page: z.null(), dispute })),
  total: count,
  counts: z.record(z.string(), count),
});
export const testPayment = z.strictObject({
  status: z.enum(['requires_payment_method', 'requires_action', 'succeeded', 'canceled']),
  message: z.optional(z.string()),
});
export const paymentConfig = z.strictObject({ provider: z.literal('test') });

const charge = z.strictObject({ total: dollars, tax: dollars });
export const account = z.strictObject({
  order: ownersOrder,
  running: z.nullable(
    z.strictObject({
      periodEnd: time,
      next: z.nullable(charge),
      card: z.nullable(
        z.strictObject({
          brand: z.string(),
          last4: z.string(),
          expiryMonth: count,
          expiryYear: count,
        }),
      ),
    }),
  ),
  away: z.boolean(),
  mayChange: z.boolean(),
  backupPrice: dollars,
  billingAddress: z.nullable(z.string()),
  payments: z.array(
    z.strictObject({
      id: z.string(),
      number: z.nullable(z.string()),
      at: time,
      periodStart: z.nullable(time),
      periodEnd: z.nullable(time),
      amount: dollars,
      tax: dollars,
      lines: orderFields.lines,
      state: z.enum(['paid', 'open', 'waived']),
      brand: z.nullable(z.string()),
      last4: z.nullable(z.string()),
    }),
  ),
});
export const preview = z.strictObject({
  at: time,
  monthly: dollars,
  difference: z.number(),
  next: z.extend(charge, { at: time }),
});
export const testClock = z.strictObject({ now: time });
export const movedClock = z.strictObject({
  now: time,
  renewed: count,
  failed: count,
  ended: count,
  events: z.array(
    z.strictObject({ orderId: id, at: time, what: z.enum(['renewed', 'failed', 'ended']) }),
  ),
});
