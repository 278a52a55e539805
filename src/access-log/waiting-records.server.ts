/** Requests that wait to be stored, weighed: what one of them holds in memory is up to a stranger. */
import type { AccessRecord } from './access-record.server.ts';

/** In bytes; some 30,000 usual requests. */
const MOST_WAITING = 16 * 1024 * 1024;
/** What a record weighs beside its texts. */
const RECORD_WEIGHT = 250;
/** Dropping moves all that wait, so it is done for many at once. */
const DROPPED_SHARE = 1 / 16;

export class WaitingRecords {
  #records: AccessRecord[] = [];
  #weight = 0;

  get length(): number {
    return this.#records.length;
  }

  /** Adds it; gives those that had to go instead, the oldest. */
  add(record: AccessRecord): AccessRecord[] {
    this.#records.push(record);
    this.#weight += weightOf(record);
    return this.#weight > MOST_WAITING
      ? this.take(Math.ceil(this.#records.length * DROPPED_SHARE))
      : [];
  }

  /** The oldest `count`, which wait here no more. */
  take(count: number): AccessRecord[] {
    const taken = this.#records.splice(0, count);
    for (const record of taken) this.#weight -= weightOf(record);
    return taken;
  }

  /** The oldest again: storing them has failed. */
  putBack(records: readonly AccessRecord[]): void {
    this.#records = [...records, ...this.#records];
    for (const record of records) this.#weight += weightOf(record);
  }
}

function weightOf({ url, referrer, userAgent, method }: AccessRecord): number {
  return RECORD_WEIGHT + url.length + referrer.length + userAgent.length + method.length;
}
