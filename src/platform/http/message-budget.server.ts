/** How much strangers may have stored in a day, all of them together: each within an allowance, many would fill the disk. */
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

  /** Counts a message; a refusal when the day's budget would be exceeded, which counts nothing. */
  take(message: object): Response | undefined {
    const now = Date.now();
    if (Math.abs(now - this.#since) >= DAY_MS) {
      this.#since = now;
      this.#bytes = 0;
    }
    const bytes = Buffer.byteLength(JSON.stringify(message));
    if (this.#bytes + bytes > BYTES_A_DAY) {
      const full = `We can’t take more messages right now. Please call ${this.#phone}.`;
      return refuse(503, full, { retryAfter: 60 * 60 });
    }
    this.#bytes += bytes;
    return undefined;
  }
}
