import { refuse } from './answer.server.ts';
import { EVERY_CALL, type Limit, type RateLimits, tryAgain } from './rate-limit.server.ts';

/** Limits that only accepted calls use up; what is refused counts as every call does. */
export class Allowances {
  readonly #limits: RateLimits;
  /** Calls under way that have taken room and may still give it back, by limit and key. */
  readonly #undecided = new Map<string, Set<Promise<void>>>();

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /** Refuses a call before its body is read, when there is no room and none can be given back. */
  refuseEarly(limit: Limit, key: string): Response | undefined {
    if (this.#undecided.has(placeOf(limit, key))) return undefined;
    const wait = this.#limits.wait(limit, key);
    if (wait === 0) return undefined;
    this.#limits.take(EVERY_CALL, key);
    return refuseTooMany(wait);
  }

  /** Answers, if there is room, and counts the call when the answer accepts it. */
  async spend(
    limit: Limit,
    key: string,
    answering: (accept: () => void) => Response | Promise<Response>,
  ): Promise<Response> {
    const place = placeOf(limit, key);
    const { wait, giveBack } = await this.#take(limit, key, place);
    if (wait > 0) {
      this.#limits.take(EVERY_CALL, key);
      return refuseTooMany(wait);
    }
    const decided = Promise.withResolvers<void>();
    const undecided = this.#undecided.get(place) ?? new Set();
    this.#undecided.set(place, undecided.add(decided.promise));
    let accepted = false;
    try {
      const response = await answering(() => {
        accepted = true;
      });
      const beyond = accepted ? 0 : this.#countRefused(key, giveBack);
      return beyond > 0 ? refuseTooMany(beyond) : response;
    } catch (error) {
      if (!accepted) this.#countRefused(key, giveBack);
      throw error;
    } finally {
      undecided.delete(decided.promise);
      if (undecided.size === 0) this.#undecided.delete(place);
      decided.resolve();
    }
  }

  /** Beyond EVERY_CALL a refusal uses the allowance up too, or it would cost nothing; gives the seconds to wait then. */
  #countRefused(key: string, giveBack: () => void): number {
    const { wait } = this.#limits.take(EVERY_CALL, key);
    if (wait === 0) giveBack();
    return wait;
  }

  /** When there is no room, waits for calls under way: those that are refused leave theirs. */
  async #take(limit: Limit, key: string, place: string) {
    for (;;) {
      const taken = this.#limits.take(limit, key);
      const undecided = this.#undecided.get(place);
      if (taken.wait === 0 || !undecided) return taken;
      await Promise.race(undecided);
    }
  }
}

function placeOf({ name }: Limit, key: string): string {
  return `${name} ${key}`;
}

export function refuseTooMany(wait: number): Response {
  return refuse(429, `Too many requests. ${tryAgain(wait)}`, { retryAfter: wait });
}
