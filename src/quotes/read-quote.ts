/** A quote as the screens read it from an answer. What it does not tell is null, '' or an empty list, and is left out. */
import { MS365_OPTIONS, type PriceLine } from '../catalogue/pricing.ts';
import { orderLines } from '../orders/order-api.ts';
import { type Cents, dollars } from '../platform/money.ts';
import {
  fields,
  flag,
  id,
  list,
  number,
  oneOf,
  or,
  record,
  text,
  time,
} from '../platform/old/read.ts';
import type { QuoteJson, QuoteListJson, QuoteRow, SavedQuote } from './quote-shapes.ts';
import { QUOTE_STATES, type QuoteState } from './quote-states.ts';

export interface ToldDiscount {
  amount: Cents;
  percent: number | null;
  reason: string;
}

/** The state is null also when it is one that this version does not know. */
type Told<Quote> = Omit<Quote, 'state' | 'amount' | 'lines' | 'discount'> & {
  state: QuoteState | null;
  amount: Cents;
  lines: PriceLine[];
  discount: ToldDiscount | null;
};
export type ToldQuote = Told<QuoteJson>;
export type ToldQuoteRow = Told<QuoteRow>;
export type ToldQuoteList = Omit<QuoteListJson, 'quotes'> & { quotes: ToldQuoteRow[] };

const said = or(text, '');
const timeOrNull = or(time, null);

/** Without what was chosen and its price it is no quote. */
const QUOTE_FIELDS = {
  reference: said,
  state: or(oneOf(QUOTE_STATES), null),
  name: said,
  company: or(text, null),
  note: or(text, null),
  byVisitor: or(flag, false),
  planId: id,
  planName: said,
  ms365Option: oneOf(MS365_OPTIONS),
  ms365Users: or(number, 0),
  includeCloudBackup: or(flag, false),
  lines: (value: unknown): PriceLine[] | undefined => orderLines.safeParse(value).data,
  amount: dollars,
  discount: or(
    fields<ToldDiscount>({ amount: dollars, percent: or(number, null), reason: said }),
    null,
  ),
  createdAt: or(time, ''),
  expiresAt: or(time, ''),
  acceptedAt: timeOrNull,
  reminders: or(flag, false),
};

export const readQuote = fields<ToldQuote>(QUOTE_FIELDS);

export const readQuoteRow = fields<ToldQuoteRow>({
  ...QUOTE_FIELDS,
  id,
  email: said,
  madeBy: or(text, null),
  changedAt: or(number, 0),
  withdrawnAt: timeOrNull,
  openedAt: timeOrNull,
  lastOpenedAt: timeOrNull,
  opened: or(number, 0),
  orderId: or(id, null),
});

export const readQuoteList = fields<ToldQuoteList>({
  quotes: list(readQuoteRow),
  total: or(number, 0),
  counts: or(record(number), {}),
});

export const readMade = fields<{ quote: ToldQuoteRow; url: string | null }>({
  quote: readQuoteRow,
  url: or(text, null),
});

/** Without its link a saved quote is of no use. */
export const readSaved = fields<Omit<SavedQuote, 'amount'>>({
  reference: said,
  url: text,
  expiresAt: or(time, ''),
});
