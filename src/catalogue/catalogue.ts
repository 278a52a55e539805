/**
 * What is sold: services, solutions, plans, add-ons, and what customers said.
 * The schemas read `content/catalogue/*.json`; prices there are dollars with at most two decimals.
 */
import * as z from 'zod/mini';
import { type Cents, fromDollars, isWholeCents, toDollars } from '../platform/money.ts';
import { count, dollarAmount, rowId } from '../platform/old/json-shapes.ts';

const line = () => z.string().check(z.minLength(1));
const id = () => z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1));
const features = () => z.array(line()).check(z.minLength(1));

const dollars = () =>
  z.pipe(
    z
      .number()
      .check(z.minimum(0), z.maximum(1_000_000), z.refine(isWholeCents, 'whole cents only')),
    z.transform((value): Cents => fromDollars(value)),
  );

const described = { id: id(), name: line(), description: line() };
const pictured = { image: line(), priced: z.optional(line()), features: features() };

export const servicesSchema = z.array(
  z.strictObject({
    ...described,
    shortDescription: line(),
    price: dollars(),
    priceType: z._default(line(), 'month'),
    ...pictured,
  }),
);

export const solutionsSchema = z.array(
  z.strictObject({ ...described, industry: line(), ...pictured }),
);

export const plansSchema = z.array(
  z.strictObject({
    id: id(),
    name: line(),
    price: dollars(),
    description: line(),
    popular: z._default(z.boolean(), false),
    features: features(),
  }),
);

export const testimonialsSchema = z.array(
  z.strictObject({
    id: id(),
    name: line(),
    company: line(),
    comment: line(),
    rating: z.int().check(z.minimum(1), z.maximum(5)),
    image: z.optional(line()),
  }),
);

/** 2025-01-01: the row holds from the first moment of that day in UTC, until a later row takes over. */
const from = () => z.iso.date();

export const addOnsSchema = z.strictObject({
  microsoft365: z.array(
    z.strictObject({
      option: z.enum(['business_standard', 'business_premium', 'e3']),
      label: line(),
      pricePerUser: dollars(),
      from: from(),
    }),
  ),
  cloudBackup: z.array(z.strictObject({ label: line(), pricePerUser: dollars(), from: from() })),
});

/** `priced` (how-priced.ts) is no part of a row: the database and the calls know nothing of it. */
export type Service = Omit<z.infer<typeof servicesSchema>[number], 'priced'>;
export type Solution = Omit<z.infer<typeof solutionsSchema>[number], 'priced'>;
export type Plan = z.infer<typeof plansSchema>[number];
/** What a price is reckoned from. */
export type SoldPlan = Pick<Plan, 'id' | 'name' | 'price'>;
export type Testimonial = z.infer<typeof testimonialsSchema>[number];
export type AddOnRows = z.infer<typeof addOnsSchema>;

/** A row of a list as it travels in JSON: the same with its price in dollars. */
export type InDollars<Row extends { price: Cents }> = Omit<Row, 'price'> & { price: number };

export function inDollars<Row extends { price: Cents }>(row: Row): InDollars<Row> {
  return { ...row, price: toDollars(row.price) };
}

/** The lists as they travel in JSON: prices in dollars. */
const listed = { id: rowId, name: z.string(), description: z.string() };
const shown = { image: z.string(), features: z.array(z.string()) };
export const serviceRows = z.array(
  z.strictObject({
    ...listed,
    ...shown,
    shortDescription: z.string(),
    price: dollarAmount,
    priceType: z.string(),
  }),
);
export const solutionRows = z.array(z.strictObject({ ...listed, ...shown, industry: z.string() }));
export const planRows = z.array(
  z.strictObject({
    ...listed,
    price: dollarAmount,
    popular: z.boolean(),
    features: z.array(z.string()),
  }),
);
export const updatedPlans = z.strictObject({ success: z.literal(true), updated: count });
