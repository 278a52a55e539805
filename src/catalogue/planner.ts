/** Which plan a number of people needs, and what it comes to: what the planner on the home page reckons with. */
import type { SoldPlan } from './catalogue.ts';
import { type AddOnPrices, type Choice, monthlyPrice } from './pricing.ts';
import { includedUsers, readCount, wrongCount } from './user-count.ts';

export const MAX_PEOPLE = 250;
export const WRONG_PEOPLE = wrongCount(MAX_PEOPLE);

/** What is shown before anybody has chosen. */
export const FIRST_CHOICE: Choice = {
  ms365Option: 'business_standard',
  ms365Users: 20,
  includeCloudBackup: false,
};

/** People as typed: digits only, 1 to 250; undefined for anything else. */
export function readPeople(text: string): number | undefined {
  return readCount(text, MAX_PEOPLE);
}

export type Answer = NonNullable<ReturnType<typeof answerFor>>;

/** The smallest plan that is sized for so many people, or else the largest; of two of a size the cheaper one. */
export function planFor(people: number, plans: readonly SoldPlan[]): SoldPlan | undefined {
  const largest = Math.max(...plans.map(({ name }) => includedUsers(name)));
  return plans
    .toSorted(
      (one, other) =>
        includedUsers(one.name) - includedUsers(other.name) || one.price - other.price,
    )
    .find(({ name }) => includedUsers(name) >= Math.min(people, largest));
}

/** `choice.ms365Users` are the people; undefined where nothing is sold. */
export function answerFor(choice: Choice, plans: readonly SoldPlan[], prices: AddOnPrices) {
  const plan = planFor(choice.ms365Users, plans);
  if (!plan) return undefined;
  const size = includedUsers(plan.name);
  return {
    plan,
    /** How many the plan is sized for. */
    size,
    /** There are more people than any plan is sized for. */
    beyond: choice.ms365Users > size,
    price: monthlyPrice(plan, choice, prices),
  };
}
