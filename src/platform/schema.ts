/** Building blocks of schemas for data that may be older or tampered with: all have fallbacks. */
import * as z from 'zod/mini';
import type { Schema } from './contract.ts';
import { fromDollars, isWholeCents } from './money.ts';

/** Replaces a missing or invalid value when reading. The server must still send the field. */
export const fallback = z.catch;

/** What some answers lack, as a customer's lacks what is for staff alone. */
export function withDefault<Of extends z.core.$ZodType>(
  field: Of,
  missing: z.core.util.NoUndefined<z.output<Of>>,
) {
  return fallback(z._default(field, missing), missing);
}

/** PostgreSQL refuses to look for a larger one. */
export const rowId = z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1));
export const count = z.int().check(z.minimum(0));

/** Non-empty text. */
export const line = () => z.string().check(z.minLength(1));
export const text = fallback(z.string(), '');
export const textOrNull = fallback(z.nullable(z.string()), null);

export const timestamp = z
  .string()
  .check(
    z.refine(
      (text) => /^[\dT:.Z+-]+$/.test(text) && !Number.isNaN(Date.parse(text)),
      'Not a timestamp',
    ),
  );

const toCents = z.transform(fromDollars);

/** Dollars in JSON (12.5), cents once parsed. */
export const dollars = z.pipe(z.number().check(z.minimum(0), z.maximum(1e9)), toCents);

/** The same for amounts that may be negative. */
export const signedDollars = z.pipe(z.number().check(z.minimum(-1e9), z.maximum(1e9)), toCents);

/** Dollars that a person has entered: refused, not rounded, if they have more than two decimals. */
export function exactDollars(range: { min: number; max: number }, message?: string) {
  const { min, max } = range;
  return z.pipe(
    z
      .number()
      .check(z.minimum(min, message), z.maximum(max, message), z.refine(isWholeCents, message)),
    toCents,
  );
}

/** Drops invalid items; refuses a list in which every item is invalid. */
export function list<Item extends Schema>(item: Item) {
  return z.pipe(
    z.array(z.catch(z.nullable(item), null)),
    z.transform((items, context) => {
      const readable = items.filter((item) => item !== null);
      if (items.length > 0 && readable.length === 0)
        context.issues.push({ code: 'custom', input: items, message: 'No item makes sense' });
      return readable;
    }),
  );
}

/** Returns undefined for invalid JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
