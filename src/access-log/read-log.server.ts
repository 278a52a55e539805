/** The stored log as records again, newest first, some pieces at a time. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../platform/tables.server.ts';
import { type AccessRecord, readRecord } from './access-record.server.ts';

/** What is in memory at once, and what SQLite reads and we take apart before others have their turn. */
const CHARACTERS_AT_ONCE = 512 * 1024;
const PIECES_AT_ONCE = 500;

interface Place {
  lastAt: number;
  id: number;
}

/** Requests that came from `from` on, by piece, newest first; those stored meanwhile are left out. */
export async function* newestRecords(
  db: Kysely<Tables>,
  from: number,
): AsyncGenerator<AccessRecord[]> {
  let before: Place = { lastAt: Number.MAX_SAFE_INTEGER, id: 0 };
  for (;;) {
    const end = await endOfNext(db, from, before);
    if (!end) return;
    const pieces = await piecesBetween(db, before, end);
    yield pieces.flatMap(({ lines }) => recordsIn(lines, from));
    before = end;
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
): Promise<{ lines: string }[]> {
  return db
    .selectFrom('accessLog')
    .select('lines')
    .where(isBefore(before))
    .where(sql<boolean>`("lastAt", id) >= (${end.lastAt}, ${end.id})`)
    .orderBy('lastAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

function isBefore({ lastAt, id }: Place) {
  return sql<boolean>`("lastAt", id) < (${lastAt}, ${id})`;
}

function recordsIn(lines: string, from: number): AccessRecord[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map(readRecord)
    .filter(({ at }) => at >= from)
    .reverse()
    .sort((a, b) => b.at - a.at);
}
