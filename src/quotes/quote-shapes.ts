/** What travels of a quote: the bodies and answers of its calls. Amounts are dollars of a month. */
import * as z from 'zod/mini';
import { MS365_OPTIONS } from '../catalogue/pricing.ts';
import { orderLine } from '../orders/order-api.ts';
import { count, dollarAmount, moment, rowId } from '../platform/old/json-shapes.ts';
import { QUOTE_STATES } from './quote-states.ts';

export const quoteTokenRequest = z.strictObject({ token: z.string().check(z.maxLength(100)) });

export const remindersRequest = z.extend(quoteTokenRequest, { wanted: z.boolean() });

export const savedQuote = z.strictObject({
  reference: z.string(),
  url: z.string(),
  amount: dollarAmount,
  expiresAt: moment,
});

export type SavedQuote = z.input<typeof savedQuote>;

/** As anybody with its link sees it, without the address that it was sent to. */
export const quoteJson = z.strictObject({
  reference: z.string(),
  state: z.enum(QUOTE_STATES),
  name: z.string(),
  company: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** Whether company and note are a visitor's words, not ours. */
  byVisitor: z.boolean(),
  planId: rowId,
  planName: z.string(),
  ms365Option: z.enum(MS365_OPTIONS),
  ms365Users: count,
  includeCloudBackup: z.boolean(),
  /** What is charged, the discount taken off the plan. */
  lines: z.array(orderLine),
  amount: dollarAmount,
  discount: z.nullable(
    z.strictObject({
      amount: dollarAmount,
      percent: z.nullable(count),
      reason: z.string(),
    }),
  ),
  createdAt: moment,
  expiresAt: moment,
  /** When it was paid. */
  acceptedAt: z.nullable(moment),
  /** Whether an email comes before it expires. */
  reminders: z.boolean(),
});

export type QuoteJson = z.input<typeof quoteJson>;

export const quoteRow = z.extend(quoteJson, {
  id: rowId,
  email: z.string(),
  /** Null for a visitor's own. */
  madeBy: z.nullable(z.string()),
  /** Milliseconds, for the change that goes out from here. */
  changedAt: count,
  withdrawnAt: z.nullable(moment),
  openedAt: z.nullable(moment),
  lastOpenedAt: z.nullable(moment),
  opened: count,
  /** The newest order that came of it. */
  orderId: z.nullable(rowId),
});

export type QuoteRow = z.input<typeof quoteRow>;

export const quoteList = z.strictObject({
  quotes: z.array(quoteRow),
  total: count,
  /** How many there are in each state, whatever state is asked for. */
  counts: z.partialRecord(z.enum(QUOTE_STATES), count),
});

export type QuoteListJson = z.input<typeof quoteList>;

/** A quote that staff have made or changed. The link is told once; another can be had at any time. */
export const madeQuote = z.strictObject({ quote: quoteRow, url: z.nullable(z.string()) });

export const quoteLink = z.strictObject({ url: z.string() });
