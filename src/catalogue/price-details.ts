/** What the home page shows below the cards of its plans, as its data carries it. */
import { dollars } from '../platform/money.ts';
import { fields, flag, id, list, or, type Reader, text } from '../platform/old/read.ts';
import type { InDollars, SoldPlan } from './catalogue.ts';
import type { Comparison } from './comparison.ts';
import type { AddOnPrices } from './pricing.ts';
import { readAddOnPrices } from './read-catalogue.ts';

export interface Question {
  question: string;
  /** In paragraphs. */
  answer: readonly string[];
}

interface PriceDetails<Plan> {
  plans: readonly Plan[];
  /** Null where they make no sense: nothing is reckoned then. */
  addOns: AddOnPrices | null;
  comparison: Comparison | null;
  questions: readonly Question[];
}

/** In JSON. */
export type SentPriceDetails = PriceDetails<InDollars<SoldPlan>>;

const cell: Reader<boolean | string> = (value) => flag(value) ?? text(value);

const readDetails = fields<PriceDetails<SoldPlan>>({
  plans: or(list(fields<SoldPlan>({ id, name: text, price: dollars })), []),
  addOns: or(readAddOnPrices, null),
  comparison: or(
    fields<Comparison>({
      caption: text,
      groups: list(fields({ title: text, rows: list(fields({ label: text, cells: list(cell) })) })),
    }),
    null,
  ),
  questions: or(list(fields<Question>({ question: text, answer: list(text) })), []),
});

/** A table in which a column is missing would say of one plan what is true of another, and is left out. */
export const readPriceDetails: Reader<PriceDetails<SoldPlan>> = (value) => {
  const details = readDetails(value);
  if (!details) return undefined;
  const { plans, comparison } = details;
  const rows = comparison?.groups.flatMap((group) => group.rows) ?? [];
  const whole = rows.every(({ cells }) => cells.length === plans.length);
  return { ...details, comparison: whole ? comparison : null };
};
