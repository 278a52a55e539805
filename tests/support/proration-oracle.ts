/**
 * A second implementation of Stripe's proration in exact integer fractions. It shares no code with the product or the
 * fake Stripe, so that a mistake common to both shows.
 */

/** The monthly items by name; `unit` is in cents. */
export type Month = ReadonlyMap<string, { unit: number; quantity: number }>;

/** A charge for the time from `from` to `to`; the part after `kept` has been credited. */
interface Charge {
  cents: bigint;
  from: bigint;
  to: bigint;
  kept: bigint;
}

/** Rounds half a cent away from zero. */
function toCents(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const whole = size / divisor;
  const rounded = (size % divisor) * 2n >= divisor ? whole + 1n : whole;
  return dividend < 0n ? -rounded : rounded;
}

/** One subscription during one billing period. Times are in whole seconds. */
export class ProrationOracle {
  readonly #start: bigint;
  readonly #end: bigint;
  readonly #taxPercent: bigint;
  /** The customer's balance from earlier periods; a credit is negative. */
  readonly #owed: bigint;
  readonly #charges = new Map<string, Charge[]>();
  /** Amounts of proration lines that are pending for the next invoice. */
  readonly #pending: bigint[] = [];
  #month: Month;

  constructor(
    month: Month,
    period: { start: number; end: number },
    { taxPercent = 0, owed = 0 }: { taxPercent?: number; owed?: number } = {},
  ) {
    this.#owed = BigInt(owed);
    this.#start = BigInt(period.start);
    this.#end = BigInt(period.end);
    this.#taxPercent = BigInt(taxPercent);
    this.#month = month;
    for (const [name, { unit, quantity }] of month) {
      const cents = BigInt(unit) * BigInt(quantity);
      this.#charges.set(name, [{ cents, from: this.#start, to: this.#end, kept: this.#end }]);
    }
  }

  /** Changes prices from the next period on, without proration. */
  reprice(month: Month): void {
    this.#month = month;
  }

  /** Changes the items at a moment; returns the difference for the rest of the period, before tax. */
  change(month: Month, at: number): number {
    const when = BigInt(at);
    let difference = 0n;
    const add = (cents: bigint) => {
      this.#pending.push(cents);
      difference += cents;
    };
    for (const name of new Set([...this.#month.keys(), ...month.keys()])) {
      const before = this.#month.get(name);
      const after = month.get(name);
      if (before?.unit === after?.unit && before?.quantity === after?.quantity) continue;
      const charges = this.#charges.get(name) ?? [];
      for (const charge of charges) {
        const since = when > charge.from ? when : charge.from;
        if (since >= charge.kept) continue;
        add(-toCents(charge.cents * (charge.kept - since), charge.to - charge.from));
        charge.kept = since;
      }
      if (!after) continue;
      const whole = BigInt(after.unit) * BigInt(after.quantity);
      const cents = toCents(whole * (this.#end - when), this.#end - this.#start);
      add(cents);
      charges.push({ cents, from: when, to: this.#end, kept: this.#end });
      this.#charges.set(name, charges);
    }
    this.#month = month;
    return Number(difference);
  }

  /** The next invoice, and the balance after it: less than half a dollar is carried over. */
  nextInvoice(): { total: number; tax: number; owed: number } {
    const lines = [
      ...this.#pending,
      ...[...this.#month.values()].map(({ unit, quantity }) => BigInt(unit) * BigInt(quantity)),
    ];
    const tax = lines
      .map((cents) => toCents(cents * this.#taxPercent, 100n))
      .reduce((sum, cents) => sum + cents, 0n);
    const total = Number(lines.reduce((sum, cents) => sum + cents, tax + this.#owed));
    const charged = total < 50 ? 0 : total;
    return { total: charged, tax: Number(tax), owed: total - charged };
  }
}
