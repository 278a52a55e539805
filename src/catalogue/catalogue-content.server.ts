/**
 * Reads content/catalogue: what is sold and what is said about its prices. Prices there are dollars with at most two
 * decimals.
 */
import * as z from 'zod/mini';
import type { ContentReader } from '../platform/config/content-file.server.ts';
import { type Cents, fromDollars, isWholeCents } from '../platform/money.ts';
import { type Inline, inlineText } from '../platform/rich-text.ts';
import {
  type Comparison,
  comparison,
  type Plan,
  type Question,
  question,
  testimonial,
} from './catalogue.ts';
import { type AddOnRows, pricesInForce } from './pricing.ts';

const line = () => z.string().check(z.minLength(1));
const dollars = () =>
  z.pipe(
    z
      .number()
      .check(z.minimum(0), z.maximum(1_000_000), z.refine(isWholeCents, 'whole cents only')),
    z.transform((value): Cents => fromDollars(value)),
  );

const row = {
  id: z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1)),
  name: line(),
  description: line(),
  features: z.array(line()).check(z.minLength(1)),
};
/**
 * How it is priced, in words. In them {{plans:…}} stands for the plans that include a row of the comparison, so that they
 * agree with the table. No part of the stored row.
 */
const priced = z.optional(line());

export const servicesSchema = z.array(
  z.strictObject({
    ...row,
    shortDescription: line(),
    price: dollars(),
    priceType: z._default(line(), 'month'),
    image: line(),
    priced,
  }),
);

const solutionsSchema = z.array(
  z.strictObject({ ...row, industry: line(), image: line(), priced }),
);

export const plansSchema = z.array(
  z.strictObject({ ...row, price: dollars(), popular: z._default(z.boolean(), false) }),
);

export const testimonialsSchema = z.array(testimonial);

/** A row holds from the first moment of its day in UTC, until a later row takes over. */
const from = z.iso.date();

export const addOnsSchema = z.strictObject({
  microsoft365: z.array(
    z.strictObject({
      option: z.enum(['business_standard', 'business_premium', 'e3']),
      label: line(),
      pricePerUser: dollars(),
      from,
    }),
  ),
  cloudBackup: z.array(z.strictObject({ label: line(), pricePerUser: dollars(), from })),
});

/** `placeholders`: what {{phone}} and its like stand for; of them the words alone are taken. */
export function readCatalogueContent(
  reader: ContentReader,
  placeholders: ReadonlyMap<string, Inline>,
) {
  const services = reader.json('catalogue/services.json', servicesSchema);
  const solutions = reader.json('catalogue/solutions.json', solutionsSchema);
  const plans = reader.json('catalogue/plans.json', plansSchema);
  const testimonials = reader.json('catalogue/testimonials.json', testimonialsSchema);
  const addOns = reader.json('catalogue/add-ons.json', addOnsSchema);
  const compared = reader.json('catalogue/comparison.json', comparison);
  const lists = { services, solutions, plans, testimonials };
  for (const [name, rows = []] of Object.entries(lists))
    rejectDuplicateIds(reader, `catalogue/${name}.json`, rows);
  if (plans && compared) {
    for (const fault of comparisonFaults(compared, plans))
      reader.faults.push(`catalogue/comparison.json: ${fault}`);
    for (const [name, rows = []] of Object.entries({ services, solutions }))
      for (const [index, { priced: words = '' }] of rows.entries())
        for (const fault of pricedFaults(words, compared, plans))
          reader.faults.push(`catalogue/${name}.json: [${index}].priced: ${fault}`);
  }
  if (addOns) checkAddOns(reader, addOns);
  return {
    services: services?.map(({ priced: _, ...each }) => each),
    solutions: solutions?.map(({ priced: _, ...each }) => each),
    plans,
    testimonials,
    addOns,
    comparison: compared,
    questions: readQuestions(reader, placeholders),
    /** As written: what {{plans:…}} stands for is looked up with the plans of the day. */
    priced: { services: pricedOf(services ?? []), solutions: pricedOf(solutions ?? []) },
  };
}

function rejectDuplicateIds(
  reader: ContentReader,
  file: string,
  rows: readonly { id: number }[],
): void {
  const ids = rows.map(({ id }) => id);
  ids.forEach((id, index) => {
    if (ids.indexOf(id) < index)
      reader.faults.push(`${file}: [${index}].id: ${id} is taken by an earlier row`);
  });
}

function checkAddOns(reader: ContentReader, addOns: AddOnRows): void {
  try {
    pricesInForce(addOns, new Date());
  } catch (error) {
    reader.faults.push(`catalogue/add-ons.json: ${error instanceof Error ? error.message : error}`);
  }
}

/** A plan that a row leaves out, or that is not sold; each with its place. */
function comparisonFaults({ groups }: Comparison, plans: readonly Plan[]): string[] {
  const sold = plans.map(({ id }) => String(id));
  return groups.flatMap(({ rows }, group) =>
    rows.flatMap((each, index) => {
      const place = `groups[${group}].rows[${index}].plans`;
      const ids = Object.keys(each.plans);
      return [
        ...sold.filter((id) => !ids.includes(id)).map((id) => `${place}: plan ${id} is missing`),
        ...ids
          .filter((id) => !sold.includes(id))
          .map((id) => `${place}.${id}: there is no such plan`),
      ];
    }),
  );
}

function readQuestions(
  reader: ContentReader,
  placeholders: ReadonlyMap<string, Inline>,
): Question[] {
  const file = 'catalogue/questions.json';
  const rows = reader.json(file, z.array(question).check(z.minLength(1))) ?? [];
  const fill = (text: string, place: string) =>
    text.replace(/\{\{(.*?)\}\}/g, (whole, name: string) => {
      const value = placeholders.get(name);
      if (value === undefined)
        reader.faults.push(`${file}: ${place}: there is no placeholder ${whole}`);
      return value === undefined ? whole : inlineText([value]);
    });
  return rows.map((each, index) => ({
    question: fill(each.question, `[${index}].question`),
    answer: each.answer.map((text, part) => fill(text, `[${index}].answer[${part}]`)),
  }));
}

/** By the ids of the rows. */
function pricedOf(rows: readonly { id: number; priced?: string }[]): Record<string, string> {
  return Object.fromEntries(rows.flatMap(({ id, priced: words }) => (words ? [[id, words]] : [])));
}

const PLANS = /\{\{plans:(.*?)\}\}/g;
const LIST = new Intl.ListFormat('en-US');

type NamedPlans = readonly Pick<Plan, 'id' | 'name'>[];

/** Rows of the comparison that are not there, or that no plan includes. */
export function pricedFaults(words: string, compared: Comparison, plans: NamedPlans): string[] {
  return [...words.matchAll(PLANS)]
    .flatMap((found) => found.slice(1))
    .filter((label) => plansWith(label, compared, plans).length === 0)
    .map((label) => `no plan includes “${label}”`);
}

/** The words with the names of the plans in place of {{plans:…}}. */
export function pricedLine(words: string, compared: Comparison, plans: NamedPlans): string {
  return words.replace(PLANS, (_, label: string) => {
    const names = plansWith(label, compared, plans);
    return names.length === plans.length ? 'every plan' : LIST.format(names);
  });
}

function plansWith(label: string, { groups }: Comparison, plans: NamedPlans): string[] {
  const found = groups.flatMap(({ rows }) => rows).find((each) => each.label === label);
  return plans.filter(({ id }) => found?.plans[id]).map(({ name }) => name);
}
