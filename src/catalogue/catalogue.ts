/** The catalogue and its calls. The schemas for content/ are in catalogue-content.server.ts. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { type Cents, cents, toDollars } from '../platform/money.ts';
import { count, dollars, fallback, line, list, rowId, text } from '../platform/schema.ts';

/** What a plan, service or solution includes, a line each. */
export const features = fallback(list(z.string()), []);

const offer = {
  id: fallback(rowId, 0),
  name: z.string(),
  description: text,
  image: text,
  features,
  /** A sentence on how it is priced. */
  priced: text,
};

const service = z.object({
  ...offer,
  shortDescription: text,
  price: fallback(dollars, cents(0)),
  priceType: text,
});
export type Service = z.output<typeof service>;

/** A page of this site that is worth a look, in place of the plans. */
export const pageLink = z.strictObject({
  label: line(),
  href: line().check(z.regex(/^\/(?![/\\])/, 'expected an address of this site, such as /news')),
});
const solution = z.object({
  ...offer,
  industry: text,
  link: fallback(z.optional(pageLink), undefined),
});
export type Solution = z.output<typeof solution>;

const USERS_BY_PLAN_NAME = new Map([
  ['essential', 10],
  ['professional', 20],
  ['enterprise', 50],
]);

/** Adds the default number of users for add-ons, by the plan's name unless the plan says one. */
export function withUsers<Named extends { name: string; users?: number | undefined }>(
  named: Named,
): Named & { users: number } {
  const { name, users = USERS_BY_PLAN_NAME.get(name.trim().toLowerCase()) ?? 1 } = named;
  return { ...named, users };
}

/** A plan without an id, name or price cannot be sold: `list` leaves it out. */
const plan = z.pipe(
  z.object({
    id: rowId,
    name: z.string(),
    price: dollars,
    description: text,
    popular: fallback(z.boolean(), false),
    users: fallback(z.optional(z.int().check(z.minimum(1))), undefined),
    features,
  }),
  z.transform(withUsers),
);
export type Plan = z.output<typeof plan>;

/** With the prices from later days on, which only staff see before. */
export type Dated<Offer> = Offer & { prices?: { from: string; price: Cents }[] | undefined };

// Of content/ only. Functions, so that bundlers drop them for browsers.

export const testimonialSchema = () =>
  z.strictObject({
    id: rowId,
    name: line(),
    company: line(),
    comment: line(),
    rating: z.int().check(z.minimum(1), z.maximum(5)),
    image: z.optional(line()),
  });
export type Testimonial = z.output<ReturnType<typeof testimonialSchema>>;

const some = <Item extends z.ZodMiniType>(item: Item) => z.array(item).check(z.minLength(1));

/** What the plans share and where they differ. */
export const comparisonSchema = () =>
  z.strictObject({
    caption: line(),
    groups: some(
      z.strictObject({
        title: line(),
        rows: some(
          z.strictObject({
            label: line(),
            /** By plan id, so that plans can be renamed: included or not, or a text. */
            plans: z.record(z.string(), z.union([z.boolean(), line()])),
          }),
        ),
      }),
    ),
  });
export type Comparison = z.output<ReturnType<typeof comparisonSchema>>;

/** A question about the prices. `answer` has a string per paragraph. */
export const questionSchema = () => z.strictObject({ question: line(), answer: some(line()) });
export type Question = z.output<ReturnType<typeof questionSchema>>;

export function rowInDollars<Row extends Plan | Service>(row: Row) {
  return { ...row, price: toDollars(row.price) };
}

export const LIST_SERVICES = contract('GET /api/services', { answer: list(service) });
export const LIST_SOLUTIONS = contract('GET /api/solutions', { answer: list(solution) });
export const LIST_PLANS = contract('GET /api/plans', { answer: list(plan) });

/** Updates the stored plans' features from content/. The browser only logs the answer. */
export const UPDATE_PLANS = contract('POST /api/update-plans', {
  answer: fallback(z.nullable(z.object({ success: z.literal(true), updated: count })), null),
});
