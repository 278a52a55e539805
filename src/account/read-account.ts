/** A customer's own page as the screen reads it from an answer; amounts in cents, what is not told left out. */

import { type OrderView, orderLines, orderView } from '../orders/order-api.ts';
import { type Cents, cents, dollars } from '../platform/money.ts';
import {
  fields,
  flag,
  list,
  nullable,
  number,
  oneOf,
  or,
  type Read,
  type Reader,
  text,
  time,
} from '../platform/old/read.ts';

const said = or(text, null);
const readOrder: Reader<OrderView> = (value) => orderView.safeParse(value).data;
const readLines: Reader<OrderView['lines']> = (value) => orderLines.safeParse(value).data;
const moment = or(time, null);
const charge = { total: dollars, tax: or(dollars, cents(0)) };

export const readAccount = fields({
  order: readOrder,
  running: or(
    fields({
      periodEnd: time,
      next: or(nullable(fields(charge)), null),
      card: or(fields({ brand: text, last4: text, expiryMonth: number, expiryYear: number }), null),
    }),
    null,
  ),
  away: or(flag, false),
  mayChange: or(flag, false),
  backupPrice: or(dollars, cents(0)),
  billingAddress: said,
  payments: or(
    list(
      fields({
        id: text,
        number: said,
        at: time,
        periodStart: moment,
        periodEnd: moment,
        amount: dollars,
        tax: or(dollars, cents(0)),
        lines: readLines,
        state: oneOf(['paid', 'open', 'waived']),
        brand: said,
        last4: said,
      }),
    ),
    [],
  ),
});
export type ToldAccount = Read<typeof readAccount>;
export type Running = NonNullable<ToldAccount['running']>;
export type ToldPayment = ToldAccount['payments'][number];

const signedDollars: Reader<Cents> = (value) => {
  const size = dollars(Math.abs(number(value) ?? Number.NaN));
  return size === undefined || Number(value) >= 0 ? size : cents(-size);
};

export const readPreview = fields({
  at: time,
  monthly: dollars,
  /** Negative when something is taken off the next bill. */
  difference: signedDollars,
  next: fields({ ...charge, at: time }),
});
export type ToldPreview = Read<typeof readPreview>;

export const readCardEntry = fields({ clientSecret: text });
