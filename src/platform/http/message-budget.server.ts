/** How much strangers may have stored in a day, all of them together: each within an allowance, many would fill the disk. */
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.server.ts';
import { refuse } from './answer.server.ts';

const BYTES_A_DAY = 200_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Counts in this process, as the limits by address do. */
export class MessageBudget {
  readonly #phone: string;
  #since = 0;
  #bytes = 0;

  constructor(phone: string) {
    this.#phone = phone;
  }

  /**
   * Stores a message in a transaction of its own. `store` calls `take` before it stores anything: it gives a refusal when
   * the day's budget would be exceeded, which counts nothing. What it took is taken back when the transaction fails.
   */
  async spend<Result>(
    db: Kysely<Tables>,
    message: object,
    store: (trx: Kysely<Tables>, take: () => Response | undefined) => Promise<Result>,
  ): Promise<Result> {
    let taken = 0;
    try {
      return await db.transaction().execute((trx) =>
        store(trx, () => {
          taken = this.#take(Buffer.byteLength(JSON.stringify(message)));
          return taken > 0 ? undefined : this.#refuse();
        }),
      );
    } catch (error) {
      this.#bytes = Math.max(0, this.#bytes - taken);
      throw error;
    }
  }

  /** How many bytes were counted: all or none. */
  #take(bytes: number): number {
    const now = Date.now();
    if (Math.abs(now - this.#since) >= DAY_MS) {
      this.#since = now;
      this.#bytes = 0;
    }
    if (this.#bytes + bytes > BYTES_A_DAY) return 0;
    this.#bytes += bytes;
    return bytes;
  }

  #refuse(): Response {
    const full = `We can’t take more messages right now. Please call ${this.#phone}.`;
    return refuse(503, full, { retryAfter: 60 * 60 });
  }
}
