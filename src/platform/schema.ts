/**
 * What the schemas of answers, of a page's data and of the tab's storage are made of. Such data may come from an older
 * server or have been tampered with, so whatever a screen can do without has a fallback.
 */
import * as z from 'zod/mini';
import type { Schema } from './contract.ts';
import { type Cents, cents } from './money.ts';

/** Replaces a value that is missing or makes no sense. The server still has to send the value. */
export const fallback = z.catch;

/**
 * The number of a row.
 * @public
 */
export const rowId = z.int().check(z.minimum(1));
export const count = z.int().check(z.minimum(0));

/** A text that is not empty. */
export const line = () => z.string().check(z.minLength(1));
export const textOrNull = fallback(z.nullable(z.string()), null);

/** A moment in ISO 8601. */
export const moment = z
  .string()
  .check(
    z.refine(
      (text) => /^[\dT:.Z+-]+$/.test(text) && !Number.isNaN(Date.parse(text)),
      'Not a moment',
    ),
  );

/**
 * Dollars as they travel, such as 12.5, and cents once they are read; a database may have kept 12.5 as 12.500001.
 * @public
 */
export const dollars = z.pipe(
  z.number().check(z.minimum(0), z.maximum(1e9)),
  z.transform((amount): Cents => cents(Math.round(amount * 100))),
);

/** Items that make no sense are left out; a list of which none does is refused. */
export function list<Item extends Schema>(item: Item) {
  return z.pipe(
    z.array(z.catch(z.nullable(item), null)),
    z.transform((items, context) => {
      const readable = items.filter((each) => each !== null);
      if (items.length > 0 && readable.length === 0)
        context.issues.push({ code: 'custom', input: items, message: 'No item makes sense' });
      return readable;
    }),
  );
}

/** Undefined for what is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
