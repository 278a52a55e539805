/** The choices of a monthly order and its price in cents, for browser and server. */
import * as z from 'zod/mini';
import { MAX_USERS } from '../limits.ts';
import {
  type Cents,
  cents,
  formatDollars,
  toDollars,
  totalOf,
  withCommas,
} from '../platform/money.ts';
import { count, dollars, fallback, list, signedDollars } from '../platform/schema.ts';
import { formatDate } from '../platform/time.ts';
import type { Plan } from './catalogue.ts';

/** The name of a license in content/catalogue/add-ons.json, which may not be 'none'. */
export const LICENSE = /^[a-z][a-z\d_]{0,39}$/;

declare module '../platform/site.ts' {
  interface PublicSite {
    /** Today's, for the quotes that staff write; in their document alone. */
    addOns?: AddOnPrices;
  }
}

interface PerUser {
  label: string;
  pricePerUser: Cents;
}

export interface AddOnPrices {
  /** By license, in the order of the content; 'none' is the first. */
  microsoft365: Readonly<Record<string, PerUser>>;
  cloudBackup: PerUser;
}

export const USERS_ERROR = countError(MAX_USERS);

export function countError(max: number): string {
  return `Please enter a whole number from 1 to ${withCommas(max)}`;
}

/** Parses a whole number from 1 to `max` in ASCII digits; undefined for anything else. */
export function readCount(text: string, max = MAX_USERS): number | undefined {
  if (text.length > String(max).length || !/^\d+$/.test(text)) return undefined;
  const count = Number(text);
  return count >= 1 && count <= max ? count : undefined;
}

export interface Choice {
  /** A license, or 'none'. */
  ms365Option: string;
  /** From 1 to MAX_USERS; ignored without a Microsoft 365 option. */
  ms365Users: number;
  includeCloudBackup: boolean;
}

export const SOLD_KINDS = ['plan', 'microsoft365', 'backup'] as const;
/** Staff can add other items, discounts and credits at the payment provider. */
export const LINE_KINDS = [...SOLD_KINDS, 'other', 'discount', 'credit'] as const;

/** What is taken off the list price, such as '10% off the plan'. */
const discount = z.object({ label: z.string(), amount: dollars });
export type Discounted = z.output<typeof discount>;

/** Amounts are dollars in JSON; those of discounts and credits are negative. */
const priceLine = z.object({
  kind: z.enum(LINE_KINDS),
  label: z.string(),
  /** What is charged: the discount is off already. */
  unitPrice: signedDollars,
  quantity: count,
  amount: signedDollars,
  /** The discount of a quote on its plan. */
  off: fallback(z.optional(discount), undefined),
});
export type PriceLine = z.output<typeof priceLine>;

export const priceLines = fallback(list(priceLine), []);

/** A price as one value, which everything passes on whole. */
export const price = z.object({
  /** What is charged each month. */
  lines: priceLines,
  /** Contained in the plan's line, and shown as one of its own. */
  discount: fallback(z.nullable(discount), null),
  /** What is charged once, with the first payment: never a line that repeats. */
  once: priceLines,
  /** The day from which the month is charged, such as '2027-01-04'; null once it is, or at once. */
  startsOn: fallback(z.nullable(z.iso.date()), null),
  /** The sales tax of a month. */
  tax: fallback(dollars, cents(0)),
  /** A month with its tax. */
  total: dollars,
});
type Whole = z.output<typeof price>;
export interface Price extends Omit<Whole, 'lines' | 'once'> {
  lines: readonly PriceLine[];
  once: readonly PriceLine[];
}

export function priceOf(
  lines: readonly PriceLine[],
  tax = cents(0),
  { once = [], startsOn = null }: Partial<Pick<Price, 'once' | 'startsOn'>> = {},
): Price {
  const discount = lines.find(({ off }) => off)?.off ?? null;
  return { lines, discount, once, startsOn, tax, total: cents(totalOf(lines) + tax) };
}

export function priceJson(whole: Price): z.input<typeof price> {
  const { lines, discount, once, startsOn, tax, total } = whole;
  return {
    lines: inDollars(lines),
    discount: discount && offInDollars(discount),
    once: inDollars(once),
    startsOn,
    tax: toDollars(tax),
    total: toDollars(total),
  };
}

/** Whether the first payment is another one than those that follow. */
export function hasOwnStart({ once, startsOn }: Pick<Price, 'once' | 'startsOn'>): boolean {
  return once.length > 0 || startsOn !== null;
}

/** 'Monthly total', or 'Each month from January 4'. */
export function monthInWords({ startsOn }: Pick<Price, 'startsOn'>): string {
  if (startsOn === null) return 'Monthly total';
  return `Each month from ${formatDate(startsOn).replace(/, \d{4}$/, '')}`;
}

/** 'Onboarding $1,500.00, Migration $200.00'. */
export function onceInWords(once: readonly PriceLine[]): string {
  return once.map(({ label, amount }) => `${label} ${formatDollars(amount)}`).join(', ');
}

/** '$1,218.70 per month, $1,500.00 once'. */
export function priceInWords({ total, once }: Pick<Price, 'total' | 'once'>): string {
  const atOnce = once.length > 0 ? `, ${formatDollars(totalOf(once))} once` : '';
  return `${formatDollars(total)} per month${atOnce}`;
}

/** As programs get it. */
export function onceJson(once: readonly PriceLine[]) {
  return once.map(({ label, amount }) => ({ label, amount: toDollars(amount) }));
}

/** What stands beside the sum of a month. */
export function startFacts({
  once,
  startsOn,
}: Pick<Price, 'once' | 'startsOn'>): [label: string, value: string | null][] {
  return [
    ['Once', onceInWords(once)],
    ['Starts', startsOn && formatDate(startsOn)],
  ];
}

/** The first payment, without the tax on what is charged once. */
export function dueToday({ once, startsOn, total }: Price): Cents {
  return cents(totalOf(once) + (startsOn === null ? total : 0));
}

/** Its lines at their list prices, with the discount as a line of its own. */
export function listedLines({ lines, discount }: Pick<Price, 'lines' | 'discount'>): PriceLine[] {
  const listed = lines.map(({ off, ...line }) =>
    off
      ? {
          ...line,
          unitPrice: cents(line.unitPrice + off.amount),
          amount: cents(line.amount + off.amount),
        }
      : line,
  );
  return discount
    ? [...listed, lineOf('discount', discount.label, cents(-discount.amount))]
    : listed;
}

/** The discount of a quote or an order, on the plan alone. */
export interface PlanDiscount {
  /** Null without one, or if it was given in dollars. */
  discountPercent: number | null;
  discountCents: Cents;
}

/** Says how much of the plan's list price is off its line. */
export function withDiscount(
  lines: readonly PriceLine[],
  { discountPercent, discountCents: amount }: PlanDiscount,
): PriceLine[] {
  const label = discountPercent ? `${discountPercent}% off the plan` : 'Discount on the plan';
  return lines.map((line) =>
    line.kind === 'plan' && amount > 0 ? { ...line, off: { label, amount } } : line,
  );
}

/** The same lines, with the discounts of those known to be sold at this price. */
export function withKnownDiscount(
  lines: readonly PriceLine[],
  known: readonly PriceLine[],
): PriceLine[] {
  return lines.map((line) => {
    const { off } = known.find((one) => one.off && isSamePrice(one, line)) ?? line;
    return off && !line.off ? { ...line, off } : line;
  });
}

function isSamePrice(one: PriceLine, other: PriceLine): boolean {
  return isSameOffer(one, other) && one.unitPrice === other.unitPrice;
}

/** Of the same plan, license or backup. */
export function isSameOffer(one: PriceLine, other: PriceLine): boolean {
  return one.kind === other.kind && (one.kind === 'backup' || one.label === other.label);
}

/** Reads a column of lines, with amounts in cents: of a month, or of what is charged once. */
export function parseLines(json: string): PriceLine[] {
  return JSON.parse(json);
}

export function linesInDollars(json: string) {
  return inDollars(parseLines(json));
}

export function inDollars(lines: readonly PriceLine[]) {
  return lines.map(({ off, ...line }) => ({
    ...line,
    unitPrice: toDollars(line.unitPrice),
    amount: toDollars(line.amount),
    ...(off && { off: offInDollars(off) }),
  }));
}

function offInDollars({ label, amount }: Discounted) {
  return { label, amount: toDollars(amount) };
}

/** '1 user', '1,000 users'. */
export function usersInWords(users: number): string {
  return `${withCommas(users)} ${users === 1 ? 'user' : 'users'}`;
}

/** The line of the same plan, license or backup; undefined for what is not sold here. */
export function findOffer(lines: readonly PriceLine[], offer: PriceLine): PriceLine | undefined {
  return isSold(offer) ? lines.find((line) => isSameOffer(line, offer)) : undefined;
}

/** The lines at the unit prices of `priced`; quantities and other lines stay. */
export function repriced(lines: readonly PriceLine[], priced: readonly PriceLine[]): PriceLine[] {
  return lines.map((line) => {
    const { unitPrice, off } = findOffer(priced, line) ?? line;
    return unitPrice === line.unitPrice
      ? line
      : { ...line, unitPrice, amount: cents(unitPrice * line.quantity), off };
  });
}

export function isSold({ kind }: Pick<PriceLine, 'kind'>): boolean {
  return SOLD_KINDS.some((sold) => sold === kind);
}

export function isAtPrices(lines: readonly PriceLine[], prices: readonly PriceLine[]): boolean {
  return repriced(lines, prices).every((line, index) => line === lines[index]);
}

/** Whether any unit price goes up, be the sum lower: the customer may add users. */
export function isHigher(from: readonly PriceLine[], to: readonly PriceLine[]): boolean {
  return to.some((line) => line.unitPrice > (findOffer(from, line) ?? line).unitPrice);
}

/** Whether its unit price is whole cents; staff may also set others, or tiers, at the provider. */
export function isExact({ unitPrice, quantity, amount }: PriceLine): boolean {
  return unitPrice * quantity === amount;
}

export interface LineParts {
  name: string;
  /** '20 users'; none where a line is one thing. */
  quantity?: string | undefined;
  /** '$22.00'; none where it is not whole cents. */
  unitPrice?: string | undefined;
}

export function lineInParts(line: PriceLine): LineParts {
  const { kind, label, quantity, unitPrice } = line;
  const name = kind === 'plan' ? `${label} plan` : label;
  const isPerUser = kind === 'microsoft365' || kind === 'backup';
  if (!isPerUser && quantity === 1) return { name };
  return {
    name,
    quantity: isPerUser ? usersInWords(quantity) : String(quantity),
    unitPrice: isExact(line) ? formatDollars(unitPrice) : undefined,
  };
}

/** '20 users × $22.00'. */
export function quantityInWords(line: PriceLine): string | undefined {
  const { quantity, unitPrice } = lineInParts(line);
  return unitPrice ? `${quantity} × ${unitPrice}` : quantity;
}

/** 'Microsoft 365 Business Premium, 20 users × $22.00'. */
export function lineInWords(line: PriceLine): string {
  return [lineInParts(line).name, quantityInWords(line)].filter(Boolean).join(', ');
}

/** The label of the tax that the payment provider adds where that is switched on. */
export const SALES_TAX = 'Sales tax';

/** Drops users and backup when there is no Microsoft 365 option. */
export function effectiveChoice(choice: Choice): Choice {
  return choice.ms365Option === 'none'
    ? { ms365Option: 'none', ms365Users: 0, includeCloudBackup: false }
    : choice;
}

export function monthlyPrice(
  plan: { name: string; price: Cents },
  choice: Choice,
  prices: AddOnPrices,
): Price {
  const { ms365Option, ms365Users, includeCloudBackup } = effectiveChoice(choice);
  const lines = [lineOf('plan', plan.name, plan.price, 1)];
  if (ms365Option !== 'none') {
    const license = prices.microsoft365[ms365Option];
    if (!license) throw new Error(`${ms365Option} is not offered`);
    lines.push(lineOf('microsoft365', license.label, license.pricePerUser, ms365Users));
  }
  if (includeCloudBackup) {
    const { label, pricePerUser } = prices.cloudBackup;
    lines.push(lineOf('backup', label, pricePerUser, ms365Users));
  }
  return priceOf(lines);
}

export const UNKNOWN_LICENSE = 'This Microsoft 365 license is not offered';

export function isOffered({ microsoft365 }: AddOnPrices, option: string): boolean {
  return Object.hasOwn(microsoft365, option);
}

type Sized = Pick<Plan, 'id' | 'name' | 'price' | 'users'>;

/** The cheapest plan sized for this many people, or else the largest. */
export function planFor<Offer extends Sized>(
  people: number,
  plans: readonly Offer[],
): Offer | undefined {
  const largest = Math.max(...plans.map(({ users }) => users));
  return plans
    .toSorted((one, other) => one.price - other.price)
    .find(({ users }) => users >= Math.min(people, largest));
}

/** Which plan fits this many people, if the one with this id is sized for fewer. */
export function outgrownBy(
  people: number,
  planId: number,
  plans: readonly Sized[],
): string | undefined {
  const [plan, fitting] = [plans.find(({ id }) => id === planId), planFor(people, plans)];
  if (!plan || !fitting || fitting === plan || people <= plan.users) return undefined;
  return `Sized for about ${withCommas(plan.users)}. For ${withCommas(people)}: ${fitting.name}.`;
}

/** The next cheaper plan, which the checkout sells for any number of people. */
export function cheaperPlan({ price }: Plan, plans: readonly Plan[]): Plan | undefined {
  return plans
    .toSorted((one, other) => other.price - one.price)
    .find((other) => other.price < price);
}

export function lineOf(
  kind: PriceLine['kind'],
  label: string,
  unitPrice: Cents,
  quantity = 1,
): PriceLine {
  return { kind, label, unitPrice, quantity, amount: cents(unitPrice * quantity) };
}

export const USERS_PARAMETER = 'ms365_users';

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
