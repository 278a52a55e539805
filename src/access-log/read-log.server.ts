/** The stored log, newest first, some pieces at a time. */
import { type Kysely, sql } from 'kysely';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import type { AccessRecord } from './access-record.server.ts';
import { CSV_LINE_END, linesOf, readCsvLine, timestamp } from './log-lines.server.ts';

/** What is in memory at once, and what SQLite reads before others have their turn. */
const CHARACTERS_AT_ONCE = 256 * 1024;
const PIECES_AT_ONCE = 1000;

interface Place {
  lastAt: number;
  id: number;
}

/** The lines of requests that came from `from` on, each with its end; those stored meanwhile are left out. */
export async function* newestLines(db: Kysely<Tables>, from: number): AsyncGenerator<string> {
  let before: Place = { lastAt: Number.MAX_SAFE_INTEGER, id: 0 };
  for (;;) {
    const end = await endOfNext(db, from, before);
    if (!end) return;
    const pieces = await piecesBetween(db, before, end);
    yield pieces
      .map((piece) => {
        const lines = linesOf(piece);
        return piece.firstAt < from ? linesSince(lines, from) : lines;
      })
      .join('');
    before = end;
  }
}

/** The same as records; within about a second, as they were stored, the order may differ from that of their times. */
export async function* newestRecords(
  db: Kysely<Tables>,
  from: number,
): AsyncGenerator<AccessRecord[]> {
  for await (const lines of newestLines(db, from)) {
    yield lines.split(CSV_LINE_END).slice(0, -1).map(readCsvLine);
  }
}

/** The place of the last piece that is to be read next; undefined when there are none left. */
async function endOfNext(
  db: Kysely<Tables>,
  from: number,
  before: Place,
): Promise<Place | undefined> {
  const places = await db
    .selectFrom('accessLog')
    .select(['lastAt', 'id', 'size'])
    .where('lastAt', '>=', from)
    .where(isBefore(before))
    .orderBy('lastAt', 'desc')
    .orderBy('id', 'desc')
    .limit(PIECES_AT_ONCE)
    .execute();
  let characters = 0;
  const full = places.find(({ size }) => {
    characters += size;
    return characters >= CHARACTERS_AT_ONCE;
  });
  return full ?? places.at(-1);
}

function piecesBetween(
  db: Kysely<Tables>,
  before: Place,
  end: Place,
): Promise<Pick<Row<'accessLog'>, 'firstAt' | 'packed' | 'lines'>[]> {
  return db
    .selectFrom('accessLog')
    .select(['firstAt', 'packed', 'lines'])
    .where(isBefore(before))
    .where(sql<boolean>`("lastAt", id) >= (${end.lastAt}, ${end.id})`)
    .orderBy('lastAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

function isBefore({ lastAt, id }: Place) {
  return sql<boolean>`("lastAt", id) < (${lastAt}, ${id})`;
}

/** Each line begins with its time, and such times are in order as text. */
function linesSince(lines: string, from: number): string {
  const begin = timestamp(from);
  return lines
    .split(/(?<=\n)/)
    .filter((line) => line >= begin)
    .join('');
}
