/** An order as the screens read it from an answer. What it does not tell is null, '' or an empty list, and is left out. */

import { LINE_KINDS, type PriceLine } from '../catalogue/pricing.ts';
import { type Cents, cents } from '../platform/money.ts';
import {
  fields,
  flag,
  id,
  list,
  nullable,
  number,
  oneOf,
  or,
  record,
  text,
  time,
} from '../platform/read.ts';
import { dollars } from '../platform/read-dollars.ts';
import { ORDER_STATUSES, type OrderStatus } from './order.ts';
import type {
  OrderJson,
  OrderListJson,
  OrderRow,
  StaffOrderJson,
  StartedPayment,
} from './order-shapes.ts';
import { DISPUTES } from './payment.ts';

export const FETCH_FAILED = 'Failed to fetch order status';

/** The status is null also when it is one that this version does not know. */
type Told<Order> = Omit<Order, 'status' | Sums> & {
  status: OrderStatus | null;
  amount: Cents | null;
  tax: Cents;
  refunded: Cents;
  lines: PriceLine[];
};
type Sums = 'amount' | 'tax' | 'refunded' | 'lines';
export type ToldOrder = Told<OrderJson>;
export type ToldOrderRow = Told<OrderRow>;
export interface ToldStaffOrder extends Omit<Told<StaffOrderJson>, 'history'> {
  history: { status: OrderStatus | null; at: string; cause: string }[];
}
export type ToldOrderList = Omit<OrderListJson, 'orders'> & { orders: ToldOrderRow[] };

const said = or(text, '');
const status = or(oneOf(ORDER_STATUSES), null);

export const readLines = or(
  list(
    fields<PriceLine>({
      kind: oneOf(LINE_KINDS),
      label: text,
      unitPrice: dollars,
      quantity: number,
      amount: dollars,
    }),
  ),
  [],
);

const ORDER_FIELDS = {
  id,
  name: said,
  email: said,
  phone: or(text, null),
  company: or(text, null),
  planId: or(id, 0),
  paymentMethod: said,
  ms365Option: said,
  ms365Users: or(number, 0),
  includeCloudBackup: or(flag, false),
  status,
  amount: or(dollars, null),
  tax: or(dollars, cents(0)),
  paymentId: or(text, null),
  createdAt: or(time, ''),
  planName: said,
  lines: readLines,
  refunded: or(dollars, cents(0)),
  endsAt: or(time, null),
  quote: or(text, null),
  page: or(text, null),
};
const dispute = or(oneOf(DISPUTES), null);

export const readOrder = fields<ToldOrder>(ORDER_FIELDS);

export const readOrderList = fields<ToldOrderList>({
  orders: list(fields<ToldOrderRow>({ ...ORDER_FIELDS, dispute })),
  total: or(number, 0),
  counts: or(record(number), {}),
});

export const readStaffOrder = fields<ToldStaffOrder>({
  ...ORDER_FIELDS,
  dispute,
  history: or(
    list(fields<ToldStaffOrder['history'][number]>({ status, at: time, cause: said })),
    [],
  ),
  notes: or(list(fields<StaffOrderJson['notes'][number]>({ at: time, note: text })), []),
  providerPage: or(text, null),
});

/** Without a secret there is no payment; without a number, only the order's own page is missing later. */
export const readStarted = fields<
  Omit<StartedPayment, 'orderId' | 'amount'> & { orderId: number | null; amount: Cents }
>({
  clientSecret: nullable((value) => text(value) || undefined),
  orderId: or(id, null),
  amount: or(dollars, cents(0)),
});
