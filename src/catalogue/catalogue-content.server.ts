/** Reads content/catalogue. Its prices are dollars with at most two decimals. */
import * as z from 'zod/mini';
import type { Company } from '../company/company.ts';
import { localDate } from '../company/days.ts';
import { MAX_USERS } from '../limits.ts';
import { reason } from '../platform/config/cannot-start.server.ts';
import type { ContentReader } from '../platform/config/content-file.server.ts';
import { cents } from '../platform/money.ts';
import type { Inline } from '../platform/rich-text.ts';
import { exactDollars, line } from '../platform/schema.ts';
import {
  type Comparison,
  comparisonSchema,
  type Dated,
  type Plan,
  pageLink,
  questionSchema,
  testimonialSchema,
  withUsers,
} from './catalogue.ts';
import { type AddOnPrices, LICENSE } from './pricing.ts';

const price = exactDollars(
  { min: 0, max: 1_000_000 },
  'expected dollars from 0 to 1,000,000, with at most two decimals',
);

const row = {
  id: z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1)),
  name: line(),
  description: line(),
  features: z.array(line()).check(z.minLength(1)),
};
const priced = z._default(z.string(), '');
/** Each price replaces the one before it, from midnight at the company of its `from` day. */
const prices = z.optional(z.array(z.strictObject({ from: z.iso.date(), price })));

const servicesSchema = z.array(
  z.strictObject({
    ...row,
    shortDescription: line(),
    price,
    priceType: z._default(line(), 'month'),
    image: line(),
    priced,
  }),
);

const solutionsSchema = z.array(
  z.strictObject({
    ...row,
    industry: line(),
    image: line(),
    priced,
    link: z.optional(pageLink),
  }),
);

export const plansSchema = z.array(
  z.pipe(
    z.strictObject({
      ...row,
      price,
      prices,
      popular: z._default(z.boolean(), false),
      users: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_USERS))),
    }),
    z.transform(withUsers),
  ),
);

const testimonialsSchema = z.array(testimonialSchema());

const addOn = { label: line(), pricePerUser: price, from: z.iso.date() };

const addOnsSchema = z.strictObject({
  microsoft365: z.array(
    z.strictObject({
      option: z.string().check(
        z.regex(LICENSE, 'expected a name of small letters, such as business_basic'),
        z.refine((option: string) => option !== 'none'),
      ),
      ...addOn,
    }),
  ),
  cloudBackup: z.array(z.strictObject(addOn)),
});
export type AddOns = z.output<typeof addOnsSchema>;

export function readCatalogueContent(
  reader: ContentReader,
  placeholders: ReadonlyMap<string, Inline>,
  company: Company | undefined,
) {
  const lists = {
    services: reader.json('catalogue/services.json', servicesSchema),
    solutions: reader.json('catalogue/solutions.json', solutionsSchema),
    plans: reader.json('catalogue/plans.json', plansSchema),
    testimonials: reader.json('catalogue/testimonials.json', testimonialsSchema),
  };
  const addOns = reader.json('catalogue/add-ons.json', addOnsSchema);
  const compared = reader.json('catalogue/comparison.json', comparisonSchema());
  for (const [name, rows = []] of Object.entries(lists)) {
    const ids = rows.map(({ id }) => id);
    for (const [index, id] of ids.entries())
      if (ids.indexOf(id) < index)
        reader.errors.push(
          `catalogue/${name}.json: [${index}].id: ${id} is taken by an earlier row`,
        );
  }
  if (lists.plans && compared)
    for (const error of comparisonErrors(compared, lists.plans))
      reader.errors.push(`catalogue/comparison.json: ${error}`);
  if (addOns && company)
    try {
      addOnPricesOn(addOns, localDate(company, Date.now()));
    } catch (error) {
      reader.errors.push(`catalogue/add-ons.json: ${reason(error)}`);
    }
  const questions = reader.json(
    'catalogue/questions.json',
    z.array(questionSchema()).check(z.minLength(1)),
    placeholders,
  );
  return { ...lists, addOns, comparison: compared, questions };
}

/** An error for each plan that rows leave out, and for each in rows that is not sold. */
function comparisonErrors({ groups }: Comparison, plans: readonly Plan[]): string[] {
  const sold = new Set(plans.map(({ id }) => String(id)));
  const rows = groups.flatMap((group) => group.rows);
  const ids = new Set([...sold, ...rows.flatMap((row) => Object.keys(row.plans))]);
  return [...ids].flatMap((id) => {
    const wrong = rows.filter((row) => Object.hasOwn(row.plans, id) !== sold.has(id));
    if (wrong.length === 0) return [];
    const what = sold.has(id) ? `plan ${id} is missing` : `there is no plan ${id}, which is`;
    return [`${what} in the rows: ${wrong.map(({ label }) => label).join('; ')}`];
  });
}

/** The latest row that has started on the day at the company, such as '2027-01-01'. */
function rowOn<Row extends { from: string }>(rows: readonly Row[], day: string): Row | undefined {
  return rows
    .toSorted((one, other) => other.from.localeCompare(one.from))
    .find(({ from }) => from <= day);
}

/** A plan at its price on that day, without those to come. */
export function pricedOn({ prices = [], ...plan }: Dated<Plan>, day: string): Plan {
  return { ...plan, price: rowOn(prices, day)?.price ?? plan.price };
}

/** The days after this one on which a price of what is sold changes, sorted. */
export function daysToCome(plans: readonly Dated<Plan>[], addOns: AddOns, today: string): string[] {
  const rows = [
    ...plans.flatMap(({ prices }) => prices ?? []),
    ...addOns.microsoft365,
    ...addOns.cloudBackup,
  ];
  const days = rows.map(({ from }) => from).filter((from) => from > today);
  return [...new Set(days)].sort();
}

/** The price of each add-on on a day at the company. Throws when there is none. */
export function addOnPricesOn({ microsoft365, cloudBackup }: AddOns, day: string): AddOnPrices {
  const priceOf = (what: string, rows: AddOns['cloudBackup']) => {
    const row = rowOn(rows, day);
    if (!row) throw new Error(`no price for ${what} holds on ${day}`);
    return { label: row.label, pricePerUser: row.pricePerUser };
  };
  const licenses = Map.groupBy(microsoft365, ({ option }) => option);
  return {
    microsoft365: {
      none: { label: 'No Microsoft 365', pricePerUser: cents(0) },
      ...Object.fromEntries([...licenses].map(([name, rows]) => [name, priceOf(name, rows)])),
    },
    cloudBackup: priceOf('cloudBackup', cloudBackup),
  };
}
