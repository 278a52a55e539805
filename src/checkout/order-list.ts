/** The list of orders that staff see: what may be asked for, and a row of it. */
import * as z from 'zod/mini';
import { singleLine } from '../platform/fields.ts';
import { ORDER_STATUSES, type OrderStatus, type StaffOrderJson } from './order.ts';

export const ORDERS_PAGE = 50;

/** The query of GET /api/admin/orders and its download; '' is any. */
export const orderFilter = z.strictObject({
  words: z._default(singleLine({ max: 100 }), ''),
  status: z._default(z.enum(['', ...ORDER_STATUSES]), ''),
  page: z._default(z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'page must be a number')), '1'),
});
export type OrderFilter = z.infer<typeof orderFilter>;

/** Amounts in dollars a month, times ISO 8601. */
export type OrderRow = Omit<StaffOrderJson, 'history' | 'notes' | 'providerPage'>;

export interface OrderListJson {
  orders: OrderRow[];
  total: number;
  /** How many there are with each status, whatever status is asked for. */
  counts: Partial<Record<OrderStatus, number>>;
}

/** POST /api/admin/orders/:id/refund. Dollars; without an amount all that is left of the newest payment. */
export const refundRequest = z.strictObject({
  amount: z.optional(z.number().check(z.minimum(0.01), z.maximum(10_000_000))),
});

export const ENDINGS = ['now', 'period-end'] as const;

/** POST /api/admin/orders/:id/cancel. */
export const cancelRequest = z.strictObject({ when: z.enum(ENDINGS) });
