/** Parses form-encoded parameters and checks them with zod. */
import * as z from 'zod';
import { invalid } from './errors.ts';

export interface Params {
  [name: string]: string | Params;
}

const place = (owner: Params, [name = '', ...rest]: string[], value: string): void => {
  if (rest.length === 0) {
    owner[name] = value;
    return;
  }
  const present = owner[name];
  const inner = typeof present === 'object' ? present : {};
  owner[name] = inner;
  place(inner, rest, value);
};

/** Parses `items[0][quantity]=2` into nested objects; a schema tells which are lists. */
export const parseForm = (form: string): Params => {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(form))
    place(params, name.replaceAll(']', '').split('['), value);
  return params;
};

export const text = (max = 5000) => z.string().min(1).max(max);

export const int = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  text()
    .regex(/^-?\d+$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

export const bool = z.enum(['true', 'false']).transform((given) => given === 'true');

export const oneOf = z.enum;

const INVALID_EMAIL = 'Invalid email address';
/** No dot at either end of the mailbox's name, nor two in a row. */
export const email = text(512).regex(/^[^\s@.]+(\.[^\s@.]+)*@[^\s@]+\.[^\s@.]+$/, INVALID_EMAIL);

export const currency = oneOf(['usd']);

export const list = <S extends z.ZodType>(schema: S, max = 1000) =>
  z
    .record(z.string(), schema)
    .transform((given) => Object.values(given))
    .refine((given) => given.length <= max);

/** The paths that may be expanded. */
export const expand = <const Paths extends readonly string[]>(paths: Paths) =>
  list(oneOf(paths)).default([]);

export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((given) => Object.keys(given).length <= 50);

/** Unknown parameters are refused. */
export const object = z.strictObject;

const line = text().optional();
export const address = object({
  line1: line,
  line2: line,
  city: line,
  state: line,
  country: line,
  postal_code: line,
});

/** An inline price. */
const priceData = object({
  currency,
  product: text(),
  recurring: object({ interval: oneOf(['month']) }),
  tax_behavior: oneOf(['exclusive', 'inclusive']),
  unit_amount: int(0, 99_999_999),
});

/** Staff may set others in the dashboard: of fractions of a cent, in tiers, of other intervals. */
export interface PriceInput extends Omit<z.output<typeof priceData>, 'unit_amount' | 'recurring'> {
  recurring: { interval: 'month' | 'year'; interval_count?: number };
  /** Null where `unit_amount_decimal` or `tiers` say it. */
  unit_amount: number | null;
  unit_amount_decimal?: string;
  /** Graduated: each for the units up to its end; the last has none. */
  tiers?: { up_to: number | null; unit_amount: number }[];
  /** In packages: `unit_amount` is that of one. */
  transform_quantity?: { divide_by: number; round: 'up' };
}

export const newItems = list(object({ price_data: priceData, quantity: int(0) }), 20);

/** `add_invoice_items`: charged once, with the next invoice. */
export const onceItems = list(object({ price_data: priceData.omit({ recurring: true }) }), 20);
export type OnceItem = z.output<typeof onceItems>[number];

/** `items` of an update or a preview. */
export const itemChanges = list(
  object({
    id: text().optional(),
    price_data: priceData.optional(),
    quantity: int(0).optional(),
    deleted: bool.optional(),
  }),
  20,
);

export type ItemChange = z.output<typeof itemChanges>[number];

/** Throws Stripe's refusal when the parameters do not match the schema. */
export const parse = <S extends z.ZodType>(schema: S, params: Params): z.output<S> => {
  const read = schema.safeParse(params);
  if (read.success) return read.data;
  const isEmail = read.error.issues.some(({ message }) => message === INVALID_EMAIL);
  throw invalid(z.prettifyError(read.error), isEmail ? { code: 'email_invalid' } : {});
};
