/** Everyone whom the desk knows: by messages, quotes and orders. */

import { sql } from 'kysely';
import { LIST_PAGE_SIZE, MAX_LISTED } from '../limits.ts';
import { contains } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { readSearch } from '../platform/list-query.ts';
import { isoTime } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { FIND_PEOPLE, type KnownPersonJson } from './quote-api.ts';

export function findPeopleCall({ db }: Site): Call {
  return call(FIND_PEOPLE, 'staff', async ({ query }) => ({
    people: await findPeople(db, readSearch(query)),
  }));
}

/** Rows of each table that are found, the newest: one person may have many. */
const MAX_ROWS = 200;

/** The newest first, each once, with the name and the company that were given last. */
async function findPeople(db: Db, search: string): Promise<KnownPersonJson[]> {
  const rows = await Promise.all([
    newest(db, search, 'orders'),
    newest(db, search, 'quotes'),
    newest(db, search, 'threads'),
  ]);
  const byAddress = Map.groupBy(
    rows.flat().sort((one, other) => other.at - one.at),
    ({ email }) => email?.toLowerCase() ?? '',
  );
  byAddress.delete('');
  return [...byAddress.values()].slice(0, LIST_PAGE_SIZE).map((own) => ({
    name: own.find(({ name }) => name)?.name ?? '',
    email: own[0]?.email ?? '',
    company: own.find(({ company }) => company)?.company ?? null,
    at: isoTime(own[0]?.at ?? 0),
  }));
}

interface Found {
  name: string;
  email: string | null;
  company: string | null;
  at: number;
}

async function newest(db: Db, search: string, table: 'orders' | 'quotes' | 'threads') {
  const isThread = table === 'threads';
  const at = sql.ref(isThread ? 'lastAt' : 'createdAt');
  const company = isThread ? sql`cast(null as text)` : sql.ref('company');
  const columns = isThread ? ['name', 'email'] : ['name', 'email', 'company'];
  const words = search.split(' ').map((word) => {
    const found = columns.map((column) => contains(column, word));
    return sql`(${sql.join(found, sql` or `)})`;
  });
  const given = sql`select "id", "name", "email", ${company} as "company", ${at} as "at"`;
  const listed = sql`${given} from ${sql.table(table)} order by ${at} desc limit ${MAX_LISTED}`;
  const found = sql`select "name", "email", "company", "at" from (${listed}) as "newest"`;
  const matching = sql`${found} where ${sql.join(words, sql` and `)}`;
  return (await sql<Found>`${matching} order by "at" desc limit ${MAX_ROWS}`.execute(db)).rows;
}
