/**
 * The last 24 hours as CSV (RFC 4180), streamed. The database puts the lines together, some thousand at a time:
 * that is faster than carrying each value over, and no more than two such pieces are in memory at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/database.server.ts';
import { windowStart } from './log-store.server.ts';

const COLUMNS = 'timestamp,ip,method,url,status,responseTimeMs,bytes,referrer,userAgent';
/** A few milliseconds' work for SQLite, which does it on the thread that answers. */
const ROWS_AT_ONCE = 2000;

interface Piece {
  /** Null when there are no rows. */
  lines: string | null;
  /** The piece's last row; null when there are fewer rows than asked for, so that nothing follows. */
  lastAt: number | null;
  lastId: number | null;
}

/** Newest first; requests that come while it streams are not in it. */
export function csvStream(database: Database, now: number): ReadableStream<Uint8Array> {
  const from = windowStart(now);
  let before = { at: now, id: Number.MAX_SAFE_INTEGER };
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(`${COLUMNS}\r\n`)),
    async pull(controller) {
      const { lines, lastAt, lastId } = await readPiece(database, from, before);
      if (lines) controller.enqueue(Buffer.from(lines));
      if (lastAt === null || lastId === null) controller.close();
      else before = { at: lastAt, id: lastId };
      // Other requests have their turn between two pieces.
      await nextTurn();
    },
  });
}

async function readPiece(
  { db, engine }: Database,
  from: number,
  before: { at: number; id: number },
): Promise<Piece> {
  const timestamp =
    engine === 'sqlite'
      ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', "at" / 1000.0, 'unixepoch')`
      : sql`to_char(to_timestamp("at" / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const milliseconds = sql`("durationUs" / 1000) || '.' || substr(cast(1000 + "durationUs" % 1000 as text), 2)`;
  const cells = [
    timestamp,
    sql.ref('ip'),
    sql.ref('method'),
    textCell('url'),
    sql.ref('status'),
    milliseconds,
    sql.ref('bytes'),
    textCell('referrer'),
    textCell('userAgent'),
  ];
  const { rows } = await sql<Piece>`
    select string_agg(${sql.join(cells, sql` || ',' || `)} || ${'\r\n'}, '' order by place) as lines,
      min("at") as "lastAt",
      max(case when place = ${sql.lit(ROWS_AT_ONCE)} then id end) as "lastId"
    from (
      select *, row_number() over (order by "at" desc, id desc) as place from "accessLog" where "at" >= ${from} and ("at", id) < (${before.at}, ${before.id})
      order by "at" desc, id desc limit ${sql.lit(ROWS_AT_ONCE)}
    ) as piece`.execute(db);
  const [piece] = rows;
  if (!piece) throw new Error('an aggregate has one row');
  return piece;
}

/** What a stranger sent: quoted, and never a formula to a spreadsheet. (No text begins with a tab or a return.) */
function textCell(column: string): RawBuilder<unknown> {
  const text = sql.ref(column);
  const guard = sql`case when substr(${text}, 1, 1) in ('=', '+', '-', '@') then '''' else '' end`;
  return sql`'"' || ${guard} || replace(${text}, '"', '""') || '"'`;
}
