import { CountedCalls } from './counted-calls.server.ts';

/** How many calls of one kind a visitor's address may make: each rule counts for itself. */
export interface Limit {
  name: string;
  rules: readonly { calls: number; seconds: number }[];
}

/** Every call that has no limit of its own. */
export const EVERY_CALL: Limit = { name: 'calls', rules: [{ calls: 300, seconds: 60 }] };

/** Counts in this process: a provider who runs several instances divides the limits among them. */
export class RateLimits {
  readonly #counted = new Map<string, CountedCalls[]>();

  /** Counts one call; gives the seconds to wait when there were too many, else 0. What is refused counts nothing. */
  count(limit: Limit, key: string): number {
    const wait = this.wait(limit, key);
    if (wait === 0) for (const rule of this.#of(limit)) rule.count(key);
    return wait;
  }

  /** The seconds to wait if the limit is used up already; counts nothing. */
  wait(limit: Limit, key: string): number {
    return Math.max(...this.#of(limit).map((rule) => rule.wait(key)));
  }

  /** Takes back one count, of a call that turned out not to be of the kind that is limited. */
  giveBack(limit: Limit, key: string): void {
    for (const rule of this.#of(limit)) rule.giveBack(key);
  }

  #of({ name, rules }: Limit): CountedCalls[] {
    let counted = this.#counted.get(name);
    if (!counted) {
      counted = rules.map(({ calls, seconds }) => new CountedCalls(calls, seconds));
      this.#counted.set(name, counted);
    }
    return counted;
  }
}

/** 'Please try again in 42 seconds.' */
export function tryAgain(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const wait = seconds < 90 ? plural(seconds, 'second') : plural(minutes, 'minute');
  return `Please try again in ${wait}.`;
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
