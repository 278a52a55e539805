/** A monthly order: what is chosen, and its arithmetic in whole cents, the same in the browser and on the server. */
import * as z from 'zod/mini';
import { type Cents, cents, formatDollars, toDollars, withCommas } from '../platform/money.ts';
import { count, dollars } from '../platform/schema.ts';
import type { Plan } from './catalogue.ts';

export const MS365_OPTIONS = ['none', 'business_standard', 'business_premium', 'e3'] as const;
export type Ms365Option = (typeof MS365_OPTIONS)[number];

interface PerUser {
  label: string;
  pricePerUser: Cents;
}

/** Per-user monthly prices in force on one day. */
export interface AddOnPrices {
  microsoft365: Record<Ms365Option, PerUser>;
  cloudBackup: PerUser;
}

/** The most that a choice can be for. */
export const MAX_USERS = 1000;
export const WRONG_USERS = wrongCount(MAX_USERS);

export function wrongCount(most: number): string {
  return `Please enter a whole number from 1 to ${withCommas(most)}`;
}

/** A number of people as typed: digits only, no more than `most` has, from 1 to `most`; undefined for anything else. */
export function readCount(text: string, most = MAX_USERS): number | undefined {
  if (text.length > String(most).length || !/^\d+$/.test(text)) return undefined;
  const count = Number(text);
  return count >= 1 && count <= most ? count : undefined;
}

export interface Choice {
  ms365Option: Ms365Option;
  /** 1–1,000 with a Microsoft 365 option; without one it counts for nothing. */
  ms365Users: number;
  includeCloudBackup: boolean;
}

export const LINE_KINDS = ['plan', 'microsoft365', 'backup'] as const;

/** Its amounts travel in dollars. */
export const priceLine = z.object({
  kind: z.enum(LINE_KINDS),
  label: z.string(),
  unitPrice: dollars,
  quantity: count,
  amount: dollars,
});
export type PriceLine = z.output<typeof priceLine>;

/** As an order keeps them: in JSON. */
export function priceLinesOf({ priceLines }: { priceLines: string }): PriceLine[] {
  return JSON.parse(priceLines);
}

/** The same as they are sent. */
export function linesInDollars(row: { priceLines: string }) {
  return priceLinesOf(row).map((line) => ({
    ...line,
    unitPrice: toDollars(line.unitPrice),
    amount: toDollars(line.amount),
  }));
}

/** '1 user', '1,000 users'. */
export function usersInWords(users: number): string {
  return `${withCommas(users)} ${users === 1 ? 'user' : 'users'}`;
}

/** 'Professional plan', 'Microsoft 365 Business Premium, 20 users × $22.00'. */
export function lineInWords({ kind, label, quantity, unitPrice }: PriceLine): string {
  if (kind === 'plan') return `${label} plan`;
  return `${label}, ${usersInWords(quantity)} × ${formatDollars(unitPrice)}`;
}

/** What the provider adds to a bill where that is switched on. */
export const SALES_TAX = 'Sales tax';

export interface Price {
  lines: PriceLine[];
  total: Cents;
}

/** The choice that is really bought: no users and no backup without a Microsoft 365 option. */
export function effectiveChoice(choice: Choice): Choice {
  return choice.ms365Option === 'none'
    ? { ms365Option: 'none', ms365Users: 0, includeCloudBackup: false }
    : choice;
}

/** One line for the plan and one for each add-on; the total is their sum. */
export function monthlyPrice(
  plan: { name: string; price: Cents },
  choice: Choice,
  prices: AddOnPrices,
): Price {
  const { ms365Option, ms365Users, includeCloudBackup } = effectiveChoice(choice);
  const lines = [lineOf('plan', plan.name, plan.price, 1)];
  if (ms365Option !== 'none') {
    const { label, pricePerUser } = prices.microsoft365[ms365Option];
    lines.push(lineOf('microsoft365', label, pricePerUser, ms365Users));
  }
  if (includeCloudBackup) {
    const { label, pricePerUser } = prices.cloudBackup;
    lines.push(lineOf('backup', label, pricePerUser, ms365Users));
  }
  return { lines, total: cents(lines.reduce((sum, line) => sum + line.amount, 0)) };
}

/** The smallest plan that is sized for so many people, or else the largest; of two of a size the cheaper one. */
export function planFor(people: number, plans: readonly Plan[]): Plan | undefined {
  const largest = Math.max(...plans.map(({ users }) => users));
  return plans
    .toSorted((one, other) => one.users - other.users || one.price - other.price)
    .find(({ users }) => users >= Math.min(people, largest));
}

function lineOf(kind: PriceLine['kind'], label: string, unitPrice: Cents, quantity: number) {
  return { kind, label, unitPrice, quantity, amount: cents(unitPrice * quantity) };
}

export const USERS_PARAMETER = 'ms365_users';

/** How a choice stands in the address of the checkout, wherever a link leads there with one. */
export function checkoutQuery(
  planId: number | null,
  { ms365Option, ms365Users, includeCloudBackup }: Choice,
): URLSearchParams {
  const query = new URLSearchParams();
  if (planId !== null) query.set('plan', String(planId));
  query.set('microsoft365', ms365Option);
  query.set(USERS_PARAMETER, String(ms365Users));
  query.set('cloud_backup', String(includeCloudBackup));
  return query;
}
