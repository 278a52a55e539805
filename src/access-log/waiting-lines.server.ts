/**
 * Lines that wait to be stored, oldest first, one behind the other in a block of bytes. As objects they would live just
 * long enough for V8 to look through the whole memory again and again, while everybody waits.
 */
import { MINUTE, startOf } from './tally.server.ts';

/** In bytes; some 80,000 usual requests. */
const MOST_BYTES = 16 * 1024 * 1024;
/** What is kept while none wait. */
const USUAL_BYTES = 256 * 1024;
/** Before each line: when its request came, and how long the line is. */
const AT_BYTES = 8;
const HEAD_BYTES = AT_BYTES + 4;
/** Of the most; dropped at once, because it moves those that stay. */
const DROPPED_SHARE = 1 / 16;

/** Lines of requests that came within one minute, newest first. */
export interface WaitingPiece {
  firstAt: number;
  lastAt: number;
  lines: Buffer;
}

export class WaitingLines {
  #bytes = Buffer.alloc(USUAL_BYTES);
  /** Where the oldest begins, and where the newest ends. */
  #begin = 0;
  #end = 0;
  #come = 0;
  #left = 0;

  get length(): number {
    return this.#come - this.#left;
  }

  /** Of all that ever came. */
  get left(): number {
    return this.#left;
  }

  /** Adds it; ASCII only. Tells of those that had to go instead, the oldest: how many, and when the newest of them came. */
  add(at: number, line: string): { dropped: number; until: number } | undefined {
    const size = HEAD_BYTES + line.length;
    const excess = this.#end - this.#begin + size > MOST_BYTES ? this.#drop() : undefined;
    this.#makeRoom(size);
    this.#bytes.writeDoubleLE(at, this.#end);
    this.#bytes.writeUInt32LE(line.length, this.#end + AT_BYTES);
    this.#bytes.write(line, this.#end + HEAD_BYTES, 'latin1');
    this.#end += size;
    this.#come += 1;
    return excess;
  }

  /** The oldest, `most` at most, which go on waiting until `leave`. After an outage they may span hours. */
  first(most: number): { count: number; pieces: WaitingPiece[] } {
    const byMinute = new Map<number, number[]>();
    let count = 0;
    for (let place = this.#begin; place < this.#end && count < most; place = this.#endAt(place)) {
      const minute = startOf(this.#atOf(place), MINUTE);
      const places = byMinute.get(minute) ?? [];
      if (places.push(place) === 1) byMinute.set(minute, places);
      count += 1;
    }
    return { count, pieces: [...byMinute.values()].map((places) => this.#piece(places)) };
  }

  /** Until `left` have left, of all that ever came. */
  leave(left: number): void {
    while (this.#left < left && this.#begin < this.#end) this.#leaveOne();
    if (this.#begin < this.#end) return;
    this.#begin = 0;
    this.#end = 0;
    if (this.#bytes.length > USUAL_BYTES) this.#bytes = Buffer.alloc(USUAL_BYTES);
  }

  #piece(places: number[]): WaitingPiece {
    // Later ones first also among those of the same millisecond.
    const newestFirst = places.reverse().sort((a, b) => this.#atOf(b) - this.#atOf(a));
    const [newest = 0] = newestFirst;
    const oldest = newestFirst.at(-1) ?? 0;
    const size = places.reduce((sum, place) => sum + this.#endAt(place) - place - HEAD_BYTES, 0);
    const lines = Buffer.allocUnsafe(size);
    let end = 0;
    for (const place of newestFirst)
      end += this.#bytes.copy(lines, end, place + HEAD_BYTES, this.#endAt(place));
    return { firstAt: this.#atOf(oldest), lastAt: this.#atOf(newest), lines };
  }

  #drop() {
    const before = this.#left;
    let until = 0;
    while (this.#end - this.#begin > MOST_BYTES * (1 - DROPPED_SHARE)) {
      until = Math.max(until, this.#atOf(this.#begin));
      this.#leaveOne();
    }
    return { dropped: this.#left - before, until };
  }

  #leaveOne(): void {
    this.#begin = this.#endAt(this.#begin);
    this.#left += 1;
  }

  #atOf(place: number): number {
    return this.#bytes.readDoubleLE(place);
  }

  #endAt(place: number): number {
    return place + HEAD_BYTES + this.#bytes.readUInt32LE(place + AT_BYTES);
  }

  #makeRoom(size: number): void {
    const { length } = this.#bytes;
    if (this.#end + size <= length) return;
    const used = this.#end - this.#begin;
    const roomy = used + size <= length / 2 || length === MOST_BYTES;
    const bytes = roomy ? this.#bytes : Buffer.alloc(2 * length);
    this.#bytes.copy(bytes, 0, this.#begin, this.#end);
    this.#bytes = bytes;
    this.#begin = 0;
    this.#end = used;
  }
}
