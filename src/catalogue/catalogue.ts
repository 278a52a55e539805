/**
 * What is sold: services, solutions and plans, what is said about them, and the calls that list them. The schemas read
 * rows from answers; the stricter ones of the content folder are in catalogue-content.server.ts.
 */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { cents, toDollars } from '../platform/money.ts';
import { count, dollars, fallback, line, list, rowId } from '../platform/schema.ts';

const text = fallback(z.string(), '');
const features = fallback(list(z.string()), []);

const offer = {
  id: fallback(rowId, 0),
  name: z.string(),
  description: text,
  image: text,
  features,
  /** How it is priced, in words. */
  priced: text,
};

export const service = z.object({
  ...offer,
  shortDescription: text,
  price: fallback(dollars, cents(0)),
  priceType: text,
});
export type Service = z.output<typeof service>;

export const solution = z.object({ ...offer, industry: text });
export type Solution = z.output<typeof solution>;

/** A plan without its number, name or price cannot be sold, and is left out of its list. */
export const plan = z.object({
  id: rowId,
  name: z.string(),
  price: dollars,
  description: text,
  popular: fallback(z.boolean(), false),
  /** How many it is sized for: the default count for its add-ons, not free seats. */
  users: fallback(z.int().check(z.minimum(1)), 1),
  features,
});
export type Plan = z.output<typeof plan>;

export const testimonial = z.strictObject({
  id: rowId.check(z.maximum(2 ** 31 - 1)),
  name: line(),
  company: line(),
  comment: line(),
  rating: z.int().check(z.minimum(1), z.maximum(5)),
  image: z.optional(line()),
});
export type Testimonial = z.output<typeof testimonial>;

const some = <Item extends z.ZodMiniType>(item: Item) => z.array(item).check(z.minLength(1));

/** What the plans share and where they differ. */
export const comparison = z.strictObject({
  caption: line(),
  groups: some(
    z.strictObject({
      title: line(),
      rows: some(
        z.strictObject({
          label: line(),
          /** By the ids of the plans, so that a plan may be renamed: whether it is included, or in words how. */
          plans: z.record(z.string(), z.union([z.boolean(), line()])),
        }),
      ),
    }),
  ),
});
export type Comparison = z.output<typeof comparison>;

/** A question about the prices; the answer in paragraphs. */
export const question = z.strictObject({ question: line(), answer: some(line()) });
export type Question = z.output<typeof question>;

/** A plan or a service in JSON, with its price in dollars. */
export function inDollars<Row extends Plan | Service>(row: Row) {
  return { ...row, price: toDollars(row.price) };
}

export const LIST_SERVICES = contract('GET /api/services', { answer: list(service) });
export const LIST_SOLUTIONS = contract('GET /api/solutions', { answer: list(solution) });
export const LIST_PLANS = contract('GET /api/plans', { answer: list(plan) });

/** Makes the plans' features follow the content. Its answer is only logged. */
export const UPDATE_PLANS = contract('POST /api/update-plans', {
  answer: fallback(z.nullable(z.object({ success: z.literal(true), updated: count })), null),
});
