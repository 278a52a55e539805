/** What travels of an order: the bodies and answers of its calls. Amounts are dollars. */
import * as z from 'zod/mini';
import { LINE_KINDS } from '../catalogue/pricing.ts';
import { isWholeCents } from '../platform/money.ts';
import { count, dollarAmount, moment, rowId } from '../platform/old/json-shapes.ts';
import { ENDINGS, ORDER_STATUSES } from './order.ts';
import { DISPUTES } from './payment.ts';

export const orderLine = z.strictObject({
  kind: z.enum(LINE_KINDS),
  label: z.string(),
  unitPrice: dollarAmount,
  quantity: count,
  amount: dollarAmount,
});

/** As the buyer sees it; of a month. */
export const ownOrder = z.strictObject({
  id: rowId,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  company: z.nullable(z.string()),
  planId: rowId,
  paymentMethod: z.string(),
  ms365Option: z.string(),
  ms365Users: count,
  includeCloudBackup: z.boolean(),
  status: z.enum(ORDER_STATUSES),
  amount: dollarAmount,
  /** Sales tax, on top of the amount. */
  tax: dollarAmount,
  paymentId: z.nullable(z.string()),
  createdAt: moment,
  /** The plan as it was called when it was bought, and what is charged for. */
  planName: z.string(),
  lines: z.array(orderLine),
  refunded: dollarAmount,
  /** When the subscription ends, once that has been decided. */
  endsAt: z.nullable(moment),
  /** The quote that it paid, such as 'Q-12'. */
  quote: z.nullable(z.string()),
  /** Where its buyer finds it at any time; null for everybody else. */
  page: z.nullable(z.string()),
});

export type OrderJson = z.output<typeof ownOrder>;

/** One of the list that staff see. */
export const orderRow = z.extend(ownOrder, { dispute: z.nullable(z.enum(DISPUTES)) });

export type OrderRow = z.output<typeof orderRow>;

export const staffOrder = z.extend(orderRow, {
  history: z.array(
    z.strictObject({ status: z.enum(ORDER_STATUSES), at: moment, cause: z.string() }),
  ),
  notes: z.array(z.strictObject({ at: moment, note: z.string() })),
  /** The order's page at the payment provider. */
  providerPage: z.nullable(z.string()),
});

export type StaffOrderJson = z.output<typeof staffOrder>;

/** As who asks may see it. */
export const anyOrder = z.union([staffOrder, ownOrder]);

/** A browser's `status` is only its question; staff's is set. */
export const statusRequest = z.strictObject({
  status: z.enum(ORDER_STATUSES),
  paymentId: z.nullish(z.string().check(z.maxLength(255))),
});

/** `token` is what the link in a receipt carries. */
export const tokenRequest = z.strictObject({ token: z.string().check(z.maxLength(100)) });

export const pageAddress = z.strictObject({ url: z.string() });

/** `amount` a month. */
export const startedPayment = z.strictObject({
  /** Null when nothing is due: a credit covers the first month. */
  clientSecret: z.nullable(z.string()),
  orderId: rowId,
  amount: dollarAmount,
});

export type StartedPayment = z.output<typeof startedPayment>;

export const orderList = z.strictObject({
  orders: z.array(orderRow),
  total: count,
  /** How many there are with each status, whatever status is asked for. */
  counts: z.partialRecord(z.enum(ORDER_STATUSES), count),
});

/**
 * Dollars; null for all that is left of the newest payment. `key` is the same when
 * the same refund is asked for once more; without it, the same sum counts as the same until the order has followed.
 */
export const refundRequest = z.strictObject({
  amount: z.nullable(
    z
      .number()
      .check(
        z.minimum(0.01),
        z.maximum(10_000_000),
        z.refine(isWholeCents, 'Please enter an amount in dollars and cents'),
      ),
  ),
  key: z.optional(z.uuid()),
});

export type RefundRequest = z.infer<typeof refundRequest>;

export const cancelRequest = z.strictObject({ when: z.enum(ENDINGS) });
