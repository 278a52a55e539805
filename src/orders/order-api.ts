import * as z from 'zod/mini';
import { paymentField } from '../billing/invoice.ts';
import { ORDER_STATUSES } from '../billing/order-status.ts';
import { DISPUTES } from '../billing/subscription.ts';
import { price } from '../catalogue/pricing.ts';
import { contract } from '../platform/contract.ts';
import { singleLine } from '../platform/fields.ts';
import { listFilter } from '../platform/list-query.ts';
import { cents, formatDollars } from '../platform/money.ts';
import {
  count,
  dollars,
  exactDollars,
  fallback,
  list,
  rowId,
  text,
  textOrNull,
  timestamp,
  withDefault,
} from '../platform/schema.ts';
import { formatDate } from '../platform/time.ts';
import { END_REASONS, orderRequest, poNumberField } from './order.ts';

/** Null for a status that this version of the page doesn't know. */
const status = fallback(z.nullable(z.enum(ORDER_STATUSES)), null);

/** The `version` that a change was decided on; 409 with the order `now` if it has changed since. */
export const decidedOn = { version: z.optional(count) };

/** Null where an answer has the specification's fields alone. */
const shownPrice = fallback(z.nullable(price), null);

/** An order as its customer sees it; amounts are per month. */
export const orderView = z.object({
  id: rowId,
  version: fallback(z.optional(count), undefined),
  name: text,
  email: text,
  phone: textOrNull,
  company: textOrNull,
  planId: fallback(rowId, 0),
  paymentMethod: text,
  payment: paymentField,
  ms365Option: text,
  ms365Users: fallback(count, 0),
  includeCloudBackup: fallback(z.boolean(), false),
  status,
  /** Before tax. */
  amount: fallback(z.nullable(dollars), null),
  price: shownPrice,
  /** Staff have set it up otherwise than by the month. */
  byAgreement: fallback(z.boolean(), false),
  paymentId: textOrNull,
  createdAt: fallback(timestamp, ''),
  planName: text,
  refunded: fallback(dollars, cents(0)),
  endsAt: fallback(z.nullable(timestamp), null),
  startsOn: fallback(z.nullable(z.iso.date()), null),
  paused: fallback(z.boolean(), false),
  /** The plan is the customer's: accepted by card, to start, or running. */
  billable: fallback(z.boolean(), false),
  /** What is owed to the customer after the end. */
  credit: fallback(dollars, cents(0)),
  quote: textOrNull,
  poNumber: textOrNull,
  /** What was accepted, when, and by whom; a day of the terms such as '2026-05-13'. */
  accepted: fallback(
    z.nullable(
      z.object({
        at: timestamp,
        name: text,
        title: textOrNull,
        price: shownPrice,
        termsDate: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)),
        termsHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      }),
    ),
    null,
  ),
  /** The link to the customer's own page; null for staff. */
  page: textOrNull,
});
export type OrderView = z.output<typeof orderView>;

const orderRow = z.extend(orderView, {
  dispute: withDefault(z.nullable(z.enum(DISPUTES)), null),
});
export type OrderRow = z.output<typeof orderRow>;

/** The customer at the payment provider; `url` is their page in its dashboard. */
export const providerCustomer = z.object({
  id: z.string(),
  provider: z.string(),
  url: textOrNull,
});

const owedInvoice = z.object({
  number: textOrNull,
  amount: dollars,
  remaining: dollars,
  dueDay: textOrNull,
});

/** 'Invoice INV-7, due December 13, 2026: $450.00 of $850.00'. */
export function owedInWords({
  number,
  amount,
  remaining,
  dueDay,
}: z.output<typeof owedInvoice>): string {
  const due = dueDay && `, due ${formatDate(dueDay)}`;
  const sum = formatDollars(remaining);
  return `Invoice ${number ?? ''}${due ?? ''}: ${remaining < amount ? `${sum} of ${formatDollars(amount)}` : sum}`;
}

export const staffOrder = z.extend(orderRow, {
  /** Invoices that the customer still owes by bank, the first owed first. */
  owed: withDefault(list(owedInvoice), []),
  history: withDefault(list(z.object({ status, at: timestamp, cause: text })), []),
  /** All that happened, each once: without a status, it is a note. */
  changes: withDefault(list(z.object({ status, at: timestamp, text: z.string() })), []),
  endReason: withDefault(z.nullable(z.enum(END_REASONS)), null),
  endWords: withDefault(z.nullable(z.string()), null),
  source: withDefault(z.nullable(z.string()), null),
  providerCustomer: withDefault(z.nullable(providerCustomer), null),
  /** The test gateway takes the payments, this order's too. */
  inTestMode: withDefault(z.boolean(), false),
});
export type StaffOrder = z.output<typeof staffOrder>;

/** The Safeguards addendum that can be accepted now, by the SHA-256 of its text. */
export const addendumToday = withDefault(
  z.nullable(z.object({ updated: z.string(), hash: z.string() })),
  null,
);

/** `token` comes from the link in a receipt. */
export const tokenRequest = z.strictObject({ token: z.string().check(z.maxLength(100)) });

const startedPayment = z.object({
  clientSecret: z.string().check(z.minLength(1)),
  /** Null when the answer lacks it; then only the link to the order's page is missing. */
  orderId: fallback(z.nullable(rowId), null),
  /** Per month. */
  amount: fallback(dollars, cents(0)),
  /** What is charged at once, before tax; only where a quote has another sum than the month. */
  dueToday: fallback(z.optional(dollars), undefined),
});
export type StartedPayment = z.input<typeof startedPayment>;

export const PLACE_ORDER = contract('POST /api/create-payment-intent', {
  body: orderRequest,
  answer: startedPayment,
});
export const GET_ORDER = contract('GET /api/orders/:id', { answer: staffOrder });
/** Staff set `status`. A customer's is ignored: the order only follows its payment. */
export const UPDATE_STATUS = contract('POST /api/orders/:id/update-status', {
  body: z.strictObject({
    status: z.enum(ORDER_STATUSES),
    paymentId: z.nullish(z.string().check(z.maxLength(255))),
    ...decidedOn,
  }),
  answer: orderView,
});

export const LIST_ORDERS = contract('GET /api/admin/orders', {
  answer: z.object({
    orders: list(orderRow),
    total: fallback(count, 0),
    /** Orders per status that match the search, whatever the status filter. */
    counts: fallback(z.partialRecord(z.enum(ORDER_STATUSES), count), {}),
  }),
});
export const DOWNLOAD_ORDERS = contract('GET /api/admin/orders/download');
/** A CSV file; takes `from` and `to` of the same query, for the day of the payment. */
export const DOWNLOAD_PAYMENTS = contract('GET /api/admin/payments/download');

/**
 * How many orders and quotes have news, of what happens by itself: `orders` and `quotes` of the
 * query are the `newest` event when their list was last seen.
 */
export const COUNT_SALES_NEWS = contract('GET /api/admin/sales/news', {
  answer: z.object({
    orders: fallback(count, 0),
    quotes: fallback(count, 0),
    newest: fallback(count, 0),
  }),
});
export const REFUND_ORDER = contract('POST /api/admin/orders/:id/refund', {
  body: z.strictObject({
    /** The payment's invoice; the newest by default. */
    payment: z.optional(z.string().check(z.maxLength(255))),
    /** Dollars; null for the rest of that payment. */
    amount: z.nullable(
      exactDollars({ min: 0.01, max: 10_000_000 }, 'Please enter an amount in dollars and cents'),
    ),
    ...decidedOn,
  }),
  answer: staffOrder,
});

export const CANCEL_ORDER = contract('POST /api/admin/orders/:id/cancel', {
  body: z.strictObject({ when: z.enum(['now', 'period-end']), ...decidedOn }),
  answer: staffOrder,
});
/** Takes back an end that is set. */
export const KEEP_PLAN = contract('POST /api/admin/orders/:id/keep', {
  body: z.strictObject({ version: count }),
  answer: staffOrder,
});
/** The invoice owed was paid in another way; the reference is a check's, for example. */
export const MARK_PAID = contract('POST /api/admin/orders/:id/mark-paid', {
  body: z.strictObject({
    reference: singleLine({ min: 1, max: 100, tooShort: 'Please say how it was paid' }),
    /** What came; all that is owed by default. */
    amount: z.optional(exactDollars({ min: 0.01, max: 1e7 })),
    version: count,
  }),
  answer: staffOrder,
});
/** Stands on every email, receipt and invoice from then on; '' for none. */
export const SET_PO_NUMBER = contract('POST /api/admin/orders/:id/po-number', {
  body: z.strictObject({ poNumber: poNumberField(), version: count }),
  answer: staffOrder,
});
export const READ_TERMS = contract('GET /api/terms/:hash');
/** An access link, for a customer who gets no email. */
export const MAKE_ORDER_LINK = contract('POST /api/admin/orders/:id/link', {
  answer: z.object({ url: z.string() }),
});
export const REVOKE_ORDER_LINKS = contract('POST /api/admin/orders/:id/revoke-links', {
  answer: staffOrder,
});

export const ORDER_FILTER = listFilter('status', ORDER_STATUSES);

export const FETCH_FAILED = 'Failed to fetch order status';

/** Where an email's button leads on the customer's own page: to what the email asks for. */
export const ORDER_PLACES = ['pay', 'card', 'prices', 'plan'] as const;
export type OrderPlace = (typeof ORDER_PLACES)[number];

/** The parts of the URL fragment of the customer's own page, which never reaches a server. */
export interface OrderHash {
  token: string;
  receipt: string | null;
  access: string | null;
  /** The key of a link that confirms another address. */
  email: string | null;
  place: OrderPlace | null;
  file: boolean;
}

/** '#12.c2lnbmVk/to/pay/access/bmV3'. */
export function readOrderHash(hash: string): OrderHash {
  // Often copied with the end of a sentence.
  const [link = hash] = /^#\d+\.[\w-]+(\/[\w-]+)*/.exec(hash) ?? [];
  const [token = '', ...parts] = link.replace(/^#/, '').split('/');
  const after = (name: string) => (parts.includes(name) && parts[parts.indexOf(name) + 1]) || null;
  return {
    token,
    receipt: after('receipt'),
    access: after('access'),
    email: after('email'),
    place: ORDER_PLACES.find((place) => place === after('to')) ?? null,
    file: parts.includes('file'),
  };
}

export function writeOrderHash({
  token,
  file,
  place: to,
  ...keys
}: Pick<OrderHash, 'token'> & Partial<OrderHash>): string {
  const parts = Object.entries({ to, ...keys }).map(
    ([name, value]) => value && `/${name}/${value}`,
  );
  return [`#${token}`, file && '/file', ...parts].filter(Boolean).join('');
}
