/**
 * What a customer should pay over months of notices, changes and cancellations. It shares no code with the product: dates,
 * prices and notices are worked out here from what was asked alone.
 */
import type { Random } from './seeded-random.ts';

const DAY_MS = 86_400_000;

export interface Prices {
  plan: number;
  seat: number;
  backup: number;
}

interface Announced {
  prices: Prices;
  /** Whether backup was among the lines. */
  backup: boolean;
  earliest: number;
}

export class PriceLife {
  readonly #anchor: Date;
  #months = 0;
  users: number;
  backup: boolean;
  ending = false;
  ended = false;
  /** Backup keeps the price at which it was bought. */
  paid: Prices;
  announced: Announced | null = null;

  constructor(start: number, paid: Prices, users: number) {
    this.#anchor = new Date(start);
    this.paid = paid;
    this.users = users;
    this.backup = false;
  }

  /** The day of the month as in the first, or the last of a shorter one. */
  #renewal(months: number): number {
    const [year, month] = [this.#anchor.getUTCFullYear(), this.#anchor.getUTCMonth() + months];
    const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    const midnight = Date.UTC(year, month, Math.min(this.#anchor.getUTCDate(), days));
    return midnight + (this.#anchor.getTime() % DAY_MS);
  }

  get start(): number {
    return this.#renewal(this.#months);
  }

  get end(): number {
    return this.#renewal(this.#months + 1);
  }

  /** The announced prices as far as they concern what the customer has. */
  #after(): Prices {
    const { announced, paid } = this;
    if (!announced) return paid;
    return {
      ...announced.prices,
      backup: announced.backup ? announced.prices.backup : paid.backup,
    };
  }

  monthly(prices = this.paid): number {
    return prices.plan + this.users * (prices.seat + (this.backup ? prices.backup : 0));
  }

  /** Returns when the new price is charged first, and how much; null when nothing changes. */
  announce(prices: Prices, now: number, dayStart: number) {
    const { paid, backup } = this;
    const raised =
      prices.plan > paid.plan || prices.seat > paid.seat || (backup && prices.backup > paid.backup);
    const same =
      prices.plan === paid.plan &&
      prices.seat === paid.seat &&
      (!backup || prices.backup === paid.backup);
    if (same || this.announced) return null;
    const earliest = Math.max(dayStart, now + (raised ? 30 * DAY_MS : 3_600_000));
    const first = this.#first(earliest);
    if (this.ending && this.end <= first) return null;
    this.announced = { prices, backup, earliest };
    return { first, monthly: this.monthly(this.#after()) };
  }

  #first(earliest: number): number {
    for (let months = this.#months + 1; ; months += 1) {
      const at = this.#renewal(months);
      if (at >= earliest) return at;
    }
  }

  /** Whether the renewal at the end of this month is the first at the new price. */
  get due(): boolean {
    return this.announced !== null && !this.ending && this.end >= this.announced.earliest;
  }

  /** Whether what the customer has by now costs the same before and after. */
  get unchanged(): boolean {
    const [before, after] = [this.paid, this.#after()];
    return this.monthly(before) === this.monthly(after) && before.plan === after.plan;
  }

  /** Lines at the new prices, as from the renewal on. */
  applyDue(): void {
    this.paid = this.#after();
    this.announced = null;
  }

  renew(): void {
    this.#months += 1;
    this.ended = this.ending;
  }
}

export function randomPrices(random: Random, near: Prices): Prices {
  const any = (price: number, by: number) =>
    random(3) === 0 ? price : price + random(2 * by) - by;
  return { plan: any(near.plan, 9_000), seat: any(near.seat, 300), backup: any(near.backup, 90) };
}
