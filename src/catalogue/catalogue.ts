/**
 * What is sold: services, solutions and plans, and what customers said. The schemas read rows from answers and from a
 * page's data; the stricter ones of the content folder are in catalogue-content.server.ts.
 */
import * as z from 'zod/mini';
import { cents, toDollars } from '../platform/money.ts';
import { dollars, fallback, list, rowId } from '../platform/schema.ts';

const text = fallback(z.string(), '');
const features = fallback(list(z.string()), []);

export const service = z.object({
  id: fallback(rowId, 0),
  name: z.string(),
  description: text,
  shortDescription: text,
  price: fallback(dollars, cents(0)),
  priceType: text,
  image: text,
  features,
});
export type Service = z.output<typeof service>;

export const solution = z.object({
  id: fallback(rowId, 0),
  name: z.string(),
  description: text,
  industry: text,
  image: text,
  features,
});
export type Solution = z.output<typeof solution>;

/** A plan without its number, name or price cannot be sold, and is left out of its list. */
export const plan = z.object({
  id: rowId,
  name: z.string(),
  price: dollars,
  description: text,
  popular: fallback(z.boolean(), false),
  features,
});
export type Plan = z.output<typeof plan>;

/** What a price is calculated from. */
export type SoldPlan = Pick<Plan, 'id' | 'name' | 'price'>;

const line = () => z.string().check(z.minLength(1));

export const testimonial = z.strictObject({
  id: rowId.check(z.maximum(2 ** 31 - 1)),
  name: line(),
  company: line(),
  comment: line(),
  rating: z.int().check(z.minimum(1), z.maximum(5)),
  image: z.optional(line()),
});
export type Testimonial = z.output<typeof testimonial>;

/** What the plans share and where they differ. */
export const comparison = z.strictObject({
  caption: line(),
  groups: z
    .array(
      z.strictObject({
        title: line(),
        rows: z
          .array(
            z.strictObject({
              label: line(),
              /** By the ids of the plans, so that a plan may be renamed: whether it is included, or in words how. */
              plans: z.record(z.string(), z.union([z.boolean(), line()])),
            }),
          )
          .check(z.minLength(1)),
      }),
    )
    .check(z.minLength(1)),
});
export type Comparison = z.output<typeof comparison>;

/** A question about the prices; the answer in paragraphs. */
export const question = z.strictObject({
  question: line(),
  answer: z.array(line()).check(z.minLength(1)),
});
export type Question = z.output<typeof question>;

/** A plan or a service as it travels: the same with its price in dollars. */
export function inDollars<Row extends Plan | Service>(row: Row) {
  return { ...row, price: toDollars(row.price) };
}
