/**
 * How a service or a solution is priced: a line of `content/catalogue/services.json` or `solutions.json`. In it
 * {{plans:…}} stands for the plans that include a row of the comparison, so that it agrees with the table at any time.
 */
import { fields, or, record, text } from '../platform/old/read.ts';
import type { Plan } from './catalogue.ts';
import type { ComparisonRows } from './comparison.ts';

/** By the ids of the rows. */
export interface HowPriced {
  services: Readonly<Record<string, string>>;
  solutions: Readonly<Record<string, string>>;
}

type NamedPlans = readonly Pick<Plan, 'id' | 'name'>[];

const NONE: HowPriced = { services: {}, solutions: {} };
const PLANS = /\{\{plans:(.*?)\}\}/g;

const lines = or(record(text), {});

/** Out of what a page carries about prices; nothing is said where that makes no sense. */
export const readHowPriced = or(fields<HowPriced>({ services: lines, solutions: lines }), NONE);

/** What is wrong with such a line: rows of the comparison that are not there, or that no plan includes. */
export function pricedFaults(
  line: string,
  comparison: ComparisonRows,
  plans: NamedPlans,
): string[] {
  return [...line.matchAll(PLANS)]
    .flatMap((found) => found.slice(1))
    .filter((label) => plansWith(label, comparison, plans).length === 0)
    .map((label) => `no plan includes “${label}”`);
}

export function pricedLine(line: string, comparison: ComparisonRows, plans: NamedPlans): string {
  return line.replace(PLANS, (_, label: string) => {
    const names = plansWith(label, comparison, plans);
    return names.length === plans.length ? 'every plan' : LIST.format(names);
  });
}

const LIST = new Intl.ListFormat('en-US');

function plansWith(label: string, { groups }: ComparisonRows, plans: NamedPlans): string[] {
  const row = groups.flatMap(({ rows }) => rows).find((each) => each.label === label);
  return plans.filter(({ id }) => row?.plans[id]).map(({ name }) => name);
}
