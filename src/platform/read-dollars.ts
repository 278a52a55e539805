import { type Cents, cents } from './money.ts';
import { number, type Reader } from './read.ts';

const MOST_DOLLARS = 1e9;

/** Dollars as cents, in which all else reckons; a database may have kept 12.5 as 12.500001. */
export const dollars: Reader<Cents> = (value) => {
  const amount = number(value);
  return amount !== undefined && amount >= 0 && amount <= MOST_DOLLARS
    ? cents(Math.round(amount * 100))
    : undefined;
};
