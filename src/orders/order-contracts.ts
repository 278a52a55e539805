/**
 * The calls about orders, which orders staff ask for, and how the screens read an answer: what it does not tell is null, ''
 * or an empty list, and is left out. The shapes of what travels are apart, for no browser needs to load them.
 */
import { LINE_KINDS } from '../catalogue/pricing.ts';
import { readPage, readWords } from '../platform/list-query.ts';
import { cents, dollars } from '../platform/money.ts';
import type { Contract } from '../platform/old/contract.ts';
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
} from '../platform/old/read.ts';
import { ORDER_STATUSES, type OrderStatus, type orderRequest } from './order.ts';
import type {
  anyOrder,
  cancelRequest,
  orderList,
  ownOrder,
  pageAddress,
  refundRequest,
  staffOrder,
  startedPayment,
  statusRequest,
  tokenRequest,
} from './order-shapes.ts';
import { DISPUTES } from './payment.ts';

export const PLACE_ORDER: Contract<typeof orderRequest, typeof startedPayment> =
  'POST /api/create-payment-intent';
export const GET_ORDER: Contract<null, typeof anyOrder> = 'GET /api/orders/:id';
export const UPDATE_STATUS: Contract<typeof statusRequest, typeof ownOrder> =
  'POST /api/orders/:id/update-status';
/** The order of a receipt's link, and the provider's page for its bills. */
export const GET_LINKED_ORDER: Contract<typeof tokenRequest, typeof ownOrder> =
  'POST /api/order-page';
export const OPEN_BILLING: Contract<typeof tokenRequest, typeof pageAddress> =
  'POST /api/order-page/billing';
/** The query is an OrderFilter. */
export const LIST_ORDERS: Contract<null, typeof orderList> = 'GET /api/admin/orders';
/** A file of CSV, with the same query. */
export const DOWNLOAD_ORDERS: Contract = 'GET /api/admin/orders/download';
export const REFUND_ORDER: Contract<typeof refundRequest, typeof staffOrder> =
  'POST /api/admin/orders/:id/refund';
export const CANCEL_ORDER: Contract<typeof cancelRequest, typeof staffOrder> =
  'POST /api/admin/orders/:id/cancel';

/** Staff give a customer who gets no email the link that changes an order, or make all links to it useless. */
export const MAKE_ORDER_LINK: Contract<null, typeof pageAddress> =
  'POST /api/admin/orders/:id/link';
export const REVOKE_ORDER_LINKS: Contract<null, typeof staffOrder> =
  'POST /api/admin/orders/:id/revoke-links';

/** Under which staff's screens keep what they have asked for; a change of one order has all of it asked for again. */
export const ORDERS_ASKED = ['orders'];

export const ORDERS_PAGE = 50;

/** What the list is narrowed down to; the query parameters of its call and of the screen's address. */
export interface OrderFilter {
  /** Words to be found in name, address or plan, or the order's number. */
  words: string;
  status: OrderStatus | '';
  /** Counts from 1. */
  page: number;
}

/** Reads a filter from query parameters; what makes no sense counts as not given. */
export function readOrderFilter(query: URLSearchParams): OrderFilter {
  return {
    words: readWords(query),
    status: ORDER_STATUSES.find((status) => status === query.get('status')) ?? '',
    page: readPage(query),
  };
}

/** The parameters of a filter, without those that narrow nothing. */
export function writeOrderFilter({ words, status, page }: OrderFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (words) query.set('find', words);
  if (status) query.set('status', status);
  if (page > 1) query.set('page', String(page));
  return query;
}

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
