/** Money in whole US cents. Dollars exist only at the edges: content, JSON, screens. */
export type Cents = number & { readonly unit: 'cents' };

/** Takes a whole number of cents; throws a RangeError for anything else. */
export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not whole cents: ${amount}`);
  return amount as Cents;
}

/** Whether the dollars have at most two decimals. */
export function isWholeCents(dollars: number): boolean {
  return Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6;
}

/** 12.5 → 1250. Rounds, since arithmetic can make 12.500001 of 12.5. */
export function fromDollars(dollars: number): Cents {
  return cents(Math.round(dollars * 100));
}

/** What a person has typed, such as '$1,200' or '125.50'; undefined for no amount, as '50,00'. */
export function readDollars(typed: string): number | undefined {
  const [, whole, parts = ''] =
    /^\$?(\d{1,8}|\d{1,3},\d{3}|\d{1,2},\d{3},\d{3})(\.\d{1,2})?$/.exec(typed.trim()) ?? [];
  return Number(`${whole?.replaceAll(',', '')}${parts}`) || undefined;
}

/** 1250 → 12.5, the form of amounts in JSON. */
export function toDollars(amount: Cents): number {
  return amount / 100;
}

/** The sum of what lines, charges or taxes amount to. */
export function totalOf(lines: readonly { amount: number }[]): Cents {
  return sumOf(lines.map(({ amount }) => amount));
}

export function sumOf(amounts: readonly number[]): Cents {
  return cents(amounts.reduce((sum, amount) => sum + amount, 0));
}

/** 195000 → '$1,950.00', -500 → '−$5.00'. */
export function formatDollars(amount: Cents): string {
  const size = Math.abs(amount);
  const centDigits = String(size % 100).padStart(2, '0');
  return `${amount < 0 ? '−' : ''}$${withCommas(Math.trunc(size / 100))}.${centDigits}`;
}

/** 195000 → '$1,950', 195050 → '$1,950.50', for prices that stand by themselves. */
export function formatBriefly(amount: Cents): string {
  return formatDollars(amount).replace('.00', '');
}

/** 1000 → '1,000'. Not with Intl, whose first use costs a slow phone a tenth of a second. */
export function withCommas(wholeNumber: number): string {
  return String(wholeNumber).replace(/\B(?=(\d{3}){1,5}$)/g, ',');
}
