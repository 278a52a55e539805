/** The calls of staff's page Prices. Amounts are in dollars and per month, before tax. */
import * as z from 'zod/mini';
import { NOTICE_STATES, WITHDRAWALS } from '../billing/notice.ts';
import { priceLines } from '../catalogue/pricing.ts';
import { contract } from '../platform/contract.ts';
import {
  count,
  exactDollars,
  fallback,
  list,
  rowId,
  text,
  textOrNull,
  timestamp,
} from '../platform/schema.ts';

/** A day at the company. */
const day = z.iso.date();

/** A change of prices that the customer was given notice of, at the present quantities. */
export const shownPriceChange = z.object({
  at: timestamp,
  before: priceLines,
  after: priceLines,
});
export type ShownPriceChange = z.output<typeof shownPriceChange>;

/** The newest notice of one kind to a customer, with the lines as they were announced. */
const notice = z.object({
  state: z.enum(NOTICE_STATES),
  reason: fallback(z.nullable(z.enum(WITHDRAWALS)), null),
  at: timestamp,
  by: text,
  effectiveAt: timestamp,
  before: priceLines,
  after: priceLines,
  /** The state of its email; null once that is deleted. */
  mail: fallback(z.nullable(z.enum(['waiting', 'accepted', 'failed'])), null),
});
export type NoticeView = z.output<typeof notice>;

const row = z.object({
  orderId: rowId,
  reference: z.string(),
  name: text,
  company: textOrNull,
  planName: text,
  before: priceLines,
  after: priceLines,
  /** The first charge at the new price if notice is given now; null when the price is the same. */
  firstChargeAt: fallback(z.nullable(timestamp), null),
  price: fallback(z.nullable(notice), null),
  terms: fallback(z.nullable(notice), null),
});
export type PriceRow = z.output<typeof row>;
export type PriceRowJson = z.input<typeof row>;

/** `day` in the query: against the prices of that day. */
export const LIST_PRICES = contract('GET /api/admin/prices', {
  answer: z.object({
    day,
    today: day,
    /** The days on which prices change, after today. */
    days: fallback(list(day), []),
    rows: list(row),
  }),
});

/** The most orders in one call; the page makes several. */
export const MAX_NOTICES = 100;
export const NOTICE_KINDS = ['price', 'take-back', 'terms'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Gives notice or takes it back. `after`: the price shown to staff. */
export const GIVE_NOTICE = contract('POST /api/admin/prices/notice', {
  body: z.strictObject({
    kind: z.enum(NOTICE_KINDS),
    day,
    byHand: z._default(z.boolean(), false),
    orders: z
      .array(z.strictObject({ id: rowId, after: exactDollars({ min: 0, max: 1e7 }) }))
      .check(z.minLength(1), z.maxLength(MAX_NOTICES)),
  }),
  answer: z.object({
    done: count,
    /** Why others were left out, each with its order's number. */
    skipped: fallback(list(z.string()), []),
  }),
});
export type NoticeOutcome = z.output<typeof GIVE_NOTICE.answer>;

/** The email that the order's customer would get. */
export const PREVIEW_NOTICE = contract('POST /api/admin/prices/preview', {
  body: z.strictObject({ kind: z.enum(['price', 'terms']), day, order: rowId }),
  answer: z.object({ to: text, subject: text, text }),
});
