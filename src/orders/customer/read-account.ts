/** A customer's own page as the screen reads it from an answer; amounts in cents, what is not told left out. */
import type { Cents } from '../../platform/money.ts';
import { cents } from '../../platform/money.ts';
import {
  fields,
  flag,
  list,
  nullable,
  number,
  oneOf,
  or,
  type Reader,
  text,
  time,
} from '../../platform/read.ts';
import { dollars } from '../../platform/read-dollars.ts';
import { readOrder, type ToldOrder } from '../read-order.ts';
import type { Seats } from './account-shapes.ts';

export interface ToldPayment {
  id: string;
  number: string | null;
  at: string;
  periodStart: string | null;
  periodEnd: string | null;
  amount: Cents;
  tax: Cents;
  state: 'paid' | 'open' | 'waived';
  brand: string | null;
  last4: string | null;
}

export interface ToldCard {
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
}

export interface Running {
  periodEnd: string;
  next: { total: Cents; tax: Cents } | null;
  card: ToldCard | null;
}

export interface ToldAccount {
  order: ToldOrder;
  running: Running | null;
  away: boolean;
  changing: Seats | null;
  backupPrice: Cents;
  billingAddress: string | null;
  payments: ToldPayment[];
}

const said = or(text, null);
const moment = or(time, null);
const charge = { total: dollars, tax: or(dollars, cents(0)) };

export const readAccount = fields<ToldAccount>({
  order: readOrder,
  running: or(
    fields<Running>({
      periodEnd: time,
      next: or(nullable(fields<NonNullable<Running['next']>>(charge)), null),
      card: or(
        fields<ToldCard>({ brand: text, last4: text, expiryMonth: number, expiryYear: number }),
        null,
      ),
    }),
    null,
  ),
  away: or(flag, false),
  changing: or(fields<Seats>({ users: number, backup: flag }), null),
  backupPrice: or(dollars, cents(0)),
  billingAddress: said,
  payments: or(
    list(
      fields<ToldPayment>({
        id: text,
        number: said,
        at: time,
        periodStart: moment,
        periodEnd: moment,
        amount: dollars,
        tax: or(dollars, cents(0)),
        state: oneOf(['paid', 'open', 'waived']),
        brand: said,
        last4: said,
      }),
    ),
    [],
  ),
});

export interface ToldPreview {
  at: string;
  monthly: Cents;
  /** Negative when something is taken off the next bill. */
  difference: Cents;
  next: { at: string; total: Cents; tax: Cents };
}

const signedDollars: Reader<Cents> = (value) => {
  const size = dollars(Math.abs(number(value) ?? Number.NaN));
  return size === undefined || Number(value) >= 0 ? size : cents(-size);
};

export const readPreview = fields<ToldPreview>({
  at: time,
  monthly: dollars,
  difference: signedDollars,
  next: fields<ToldPreview['next']>({ ...charge, at: time }),
});

export const readCardEntry = fields<{ clientSecret: string }>({ clientSecret: text });
