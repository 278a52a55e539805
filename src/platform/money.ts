/** An amount of money in whole US cents. Dollars exist only at the edges: content files, JSON, screens. */
export type Cents = number & { readonly unit: 'cents' };

/** Takes a whole number of cents; throws a RangeError for anything else. */
export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of cents: ${amount}`);
  return amount as Cents;
}

/** 12.5 → 1250. Throws a RangeError when the dollars have more than two decimals. */
export function fromDollars(dollars: number): Cents {
  const amount = Math.round(dollars * 100);
  if (Math.abs(dollars * 100 - amount) > 1e-6) throw new RangeError(`not whole cents: ${dollars}`);
  return cents(amount);
}

/** 1250 → 12.5, the form in which amounts stand in JSON. */
export function toDollars(amount: Cents): number {
  return amount / 100;
}

const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** 195000 → '$1,950.00'. */
export function formatDollars(amount: Cents): string {
  return dollarFormat.format(amount / 100);
}
