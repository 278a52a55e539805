import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How many calls of one kind a visitor's address may make: each rule counts for itself. */
export interface Limit {
  name: string;
  rules: readonly { calls: number; seconds: number }[];
}

/** Every call that has no limit of its own. */
export const EVERY_CALL: Limit = { name: 'calls', rules: [{ calls: 300, seconds: 60 }] };

/** Counts in this process: a provider who runs several instances divides the limits among them. */
export class RateLimits {
  readonly #limiters = new Map<string, RateLimiterMemory[]>();

  /** Counts one call; gives the seconds to wait when there were too many, else 0. What is refused counts nothing. */
  async count(limit: Limit, key: string): Promise<number> {
    const wait = await this.wait(limit, key);
    if (wait > 0) return wait;
    const waits = await Promise.all(
      this.#of(limit).map((limiter) =>
        limiter.consume(key).then(
          () => 0,
          (refused) => secondsLeft(refused),
        ),
      ),
    );
    return Math.max(...waits);
  }

  /** The seconds to wait if the limit is used up already; counts nothing. */
  async wait(limit: Limit, key: string): Promise<number> {
    const states = await Promise.all(
      this.#of(limit).map(async (limiter) => ({ limiter, state: await limiter.get(key) })),
    );
    return Math.max(
      ...states.map(({ limiter, state }) =>
        state && state.msBeforeNext > 0 && state.consumedPoints >= limiter.points
          ? secondsLeft(state)
          : 0,
      ),
    );
  }

  /** Takes back one count, of a call that turned out not to be of the kind that is limited. */
  async giveBack(limit: Limit, key: string): Promise<void> {
    await Promise.all(this.#of(limit).map((limiter) => limiter.reward(key)));
  }

  #of(limit: Limit): RateLimiterMemory[] {
    let limiters = this.#limiters.get(limit.name);
    if (!limiters) {
      limiters = limit.rules.map(
        ({ calls, seconds }) => new RateLimiterMemory({ points: calls, duration: seconds }),
      );
      this.#limiters.set(limit.name, limiters);
    }
    return limiters;
  }
}

function secondsLeft(state: unknown): number {
  if (!(state instanceof RateLimiterRes)) throw state;
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
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
