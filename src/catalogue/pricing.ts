/** A monthly order: what is chosen, and its arithmetic in whole cents, the same in the browser and on the server. */
import * as z from 'zod/mini';
import { type Cents, cents, toDollars } from '../platform/money.ts';
import { count, dollars } from '../platform/schema.ts';

export const MS365_OPTIONS = ['none', 'business_standard', 'business_premium', 'e3'] as const;
export type Ms365Option = (typeof MS365_OPTIONS)[number];

const perUser = z.object({
  label: z.string(),
  pricePerUser: z.pipe(z.int().check(z.minimum(0)), z.transform(cents)),
});

/** Per-user monthly prices in force on one day, in cents also where they travel. */
export const addOnPrices = z.object({
  microsoft365: z.record(z.enum(MS365_OPTIONS), perUser),
  cloudBackup: perUser,
});
export type AddOnPrices = z.output<typeof addOnPrices>;

interface AddOnRow {
  label: string;
  pricePerUser: Cents;
  /** The day from which it holds, such as 2025-01-01. */
  from: string;
}

/** content/catalogue/add-ons.json */
export interface AddOnRows {
  microsoft365: (AddOnRow & { option: Exclude<Ms365Option, 'none'> })[];
  cloudBackup: AddOnRow[];
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

function lineOf(kind: PriceLine['kind'], label: string, unitPrice: Cents, quantity: number) {
  return { kind, label, unitPrice, quantity, amount: cents(unitPrice * quantity) };
}

/** The row of each price that holds at the given time: the latest whose day has come. */
export function pricesInForce(rows: AddOnRows, at: Date): AddOnPrices {
  const today = at.toISOString().slice(0, 10);
  const option = (key: Exclude<Ms365Option, 'none'>) =>
    inForce(
      rows.microsoft365.filter((row) => row.option === key),
      today,
      key,
    );
  return {
    microsoft365: {
      none: { label: 'No Microsoft 365', pricePerUser: cents(0) },
      business_standard: option('business_standard'),
      business_premium: option('business_premium'),
      e3: option('e3'),
    },
    cloudBackup: inForce(rows.cloudBackup, today, 'cloudBackup'),
  };
}

function inForce(rows: readonly AddOnRow[], today: string, what: string) {
  const [row] = rows
    .filter((each) => each.from <= today)
    .sort((a, b) => b.from.localeCompare(a.from));
  if (!row) throw new Error(`no price for ${what} holds on ${today}`);
  return { label: row.label, pricePerUser: row.pricePerUser };
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
