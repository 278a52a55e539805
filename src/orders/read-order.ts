/** An order as the screens read it from an answer. What it does not tell is null, '' or an empty list, and is left out. */
import { LINE_KINDS } from '../catalogue/pricing.ts';
import { cents, dollars } from '../platform/money.ts';
import {
  fields,
  flag,
  id,
  list,
  nullable,
  number,
  oneOf,
  or,
  type Read,
  record,
  text,
  time,
} from '../platform/read.ts';
import { ORDER_STATUSES } from './order.ts';
import { DISPUTES } from './payment.ts';

export const FETCH_FAILED = 'Failed to fetch order status';

const said = or(text, '');
/** Null also when it is one that this version does not know. */
const status = or(oneOf(ORDER_STATUSES), null);

export const readLines = or(
  list(
    fields({
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

export const readOrder = fields(ORDER_FIELDS);
export type ToldOrder = Read<typeof readOrder>;

const readOrderRow = fields({ ...ORDER_FIELDS, dispute });
export type ToldOrderRow = Read<typeof readOrderRow>;

export const readOrderList = fields({
  orders: list(readOrderRow),
  total: or(number, 0),
  counts: or(record(number), {}),
});

export const readStaffOrder = fields({
  ...ORDER_FIELDS,
  dispute,
  history: or(list(fields({ status, at: time, cause: said })), []),
  notes: or(list(fields({ at: time, note: text })), []),
  providerPage: or(text, null),
});
export type ToldStaffOrder = Read<typeof readStaffOrder>;

/** Without a secret there is no payment; without a number, only the order's own page is missing later. */
export const readStarted = fields({
  clientSecret: nullable((value) => text(value) || undefined),
  orderId: or(id, null),
  amount: or(dollars, cents(0)),
});
