import { hash } from 'node:crypto';

/**
 * The number of a table's rows, and the sum of their hashes (SHA-256 as four numbers of 64 bits). The sum is the same in
 * whatever order the rows come, since databases sort text in different ways.
 */
export class Checksum {
  rows = 0;
  readonly #sum = new BigUint64Array(4);

  add(row: string): void {
    const digest = hash('sha256', row, 'buffer');
    this.rows += 1;
    for (let lane = 0; lane < 4; lane += 1)
      this.#sum[lane] = (this.#sum[lane] ?? 0n) + digest.readBigUInt64LE(lane * 8);
  }

  toString(): string {
    const hex = [...this.#sum].map((lane) => lane.toString(16).padStart(16, '0')).join('');
    return `${this.rows} rows, ${hex.slice(0, 16)}`;
  }
}
