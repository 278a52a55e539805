/** Everyone whom the desk knows: by messages, emails, quotes and orders. */

import { type RawBuilder, sql } from 'kysely';
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
  const rows = await Promise.all(TABLES.map((table) => newest(db, search, table)));
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
  name: string | null;
  email: string | null;
  company: string | null;
  at: number;
}

const COLUMNS = ['name', 'email', 'company'] as const;
const NOT_GIVEN = sql`cast(null as text)`;
const TABLES = [
  sql`"name", "email", "company", "createdAt" as "at" from "orders"`,
  sql`"name", "email", "company", "createdAt" as "at" from "quotes"`,
  sql`"name", "email", ${NOT_GIVEN} as "company", "lastAt" as "at" from "threads"`,
  // Of whom only an address is known: where bills go, too, and who wrote by email.
  sql`${NOT_GIVEN} as "name", "billsTo" as "email", ${NOT_GIVEN} as "company", "createdAt" as "at" from "orders"`,
  sql`${NOT_GIVEN} as "name", "sender" as "email", ${NOT_GIVEN} as "company", "at" from "entries"`,
];

async function newest(db: Db, search: string, table: RawBuilder<unknown>) {
  const words = search.split(' ').map((word) => {
    const found = COLUMNS.map((column) => contains(column, word));
    return sql`(${sql.join(found, sql` or `)})`;
  });
  const listed = sql`select "id", ${table} order by "at" desc limit ${MAX_LISTED}`;
  const matching = sql`select "name", "email", "company", "at" from (${listed}) as "newest" where ${sql.join(words, sql` and `)}`;
  return (await sql<Found>`${matching} order by "at" desc limit ${MAX_ROWS}`.execute(db)).rows;
}
