/**
 * What a change of a month costs and what the next bill comes to, in fractions of whole numbers. Written without the
 * product's code and without that of the double: what both would get wrong alike shows here.
 */

/** What is paid for by the month, by its name; cents for one, and how many. */
export type Month = ReadonlyMap<string, { unit: number; quantity: number }>;

/** A charge that has been made for the time from `from` to `to`, of which what comes after `kept` is given back. */
interface Charge {
  cents: bigint;
  from: bigint;
  to: bigint;
  kept: bigint;
}

/** Half a cent goes away from zero. */
function toCents(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const whole = size / divisor;
  const rounded = (size % divisor) * 2n >= divisor ? whole + 1n : whole;
  return dividend < 0n ? -rounded : rounded;
}

/** One subscription through one month and into the next. Times are whole seconds. */
export class ProrationOracle {
  readonly #start: bigint;
  readonly #end: bigint;
  readonly #taxPercent: bigint;
  /** What the customer owes from before; a credit is negative. */
  readonly #owed: bigint;
  readonly #charges = new Map<string, Charge[]>();
  /** What stands on the next bill already, line by line. */
  readonly #waiting: bigint[] = [];
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

  /** Changes the month as of then; gives the difference for the rest of it, before tax. */
  change(month: Month, at: number): number {
    const when = BigInt(at);
    let difference = 0n;
    const wait = (cents: bigint) => {
      this.#waiting.push(cents);
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
        wait(-toCents(charge.cents * (charge.kept - since), charge.to - charge.from));
        charge.kept = since;
      }
      if (!after) continue;
      const whole = BigInt(after.unit) * BigInt(after.quantity);
      const cents = toCents(whole * (this.#end - when), this.#end - this.#start);
      wait(cents);
      charges.push({ cents, from: when, to: this.#end, kept: this.#end });
      this.#charges.set(name, charges);
    }
    this.#month = month;
    return Number(difference);
  }

  /** The next bill in all, and what is owed after it: less than half a dollar is not charged. */
  nextBill(): { total: number; tax: number; owed: number } {
    const lines = [
      ...this.#waiting,
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
