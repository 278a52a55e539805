/**
 * How an engine would find the rows of a statement, in one language for both: what it walks through from end to end,
 * and what it sorts by itself.
 *
 * SQLite keeps no statistics here, so its plan follows from the indexes alone. PostgreSQL plans by the number of rows,
 * and of few rows it reads all; so it is told that reading all costs more than anything else, and in three ways that it
 * has other means less. A statement that it can answer by an index in one of them is answered by that index once there
 * are rows enough: that does not depend on the machine, as plans made from 100,000 rows and their samples would.
 */
import { CompiledQuery, type Kysely } from 'kysely';
import type { Engine, Tables } from '../../src/platform/database/tables.server.ts';
import type { Executed } from './executed-statements.ts';

export interface Costly {
  /**
   * 'reads all': every row, or every entry of an index, unless a limit ends it before anything is left out. 'sorts':
   * more than it gives, where an index in that order would end as soon as there is enough; what is found and wanted
   * whole, such as the notes of an order, is sorted in no time.
   */
  how: 'reads all' | 'sorts';
  /** The table; '' where an engine does not say what it sorts. */
  table: string;
}

const SORTS: Costly = { how: 'sorts', table: '' };

type Explain = (statement: string, parameters: readonly unknown[]) => Promise<unknown[]>;

/** What of the statement gets slower as tables grow, whichever way it is planned; empty when nothing does. */
export async function costlyParts(
  db: Kysely<Tables>,
  engine: Engine,
  { sql, query }: Executed,
): Promise<Costly[]> {
  if (!/^(select|insert|update|delete|with)\b/i.test(sql)) throw new Error(`no plan for: ${sql}`);
  return db.connection().execute(async (connection) => {
    const explain: Explain = async (statement, parameters) =>
      (await connection.executeQuery(CompiledQuery.raw(statement, [...parameters]))).rows;
    return engine === 'sqlite' ? onSqlite(explain, query) : onPostgres(explain, query);
  });
}

/** Without the columns: a select among them leaves out no row of the statement's own. */
function afterFrom(sql: string): string {
  let depth = 0;
  for (let at = 0; at < sql.length; at += 1) {
    if (sql[at] === '(') depth += 1;
    if (sql[at] === ')') depth -= 1;
    if (depth === 0 && sql.startsWith(' from ', at)) return sql.slice(at);
  }
  return sql;
}

async function onSqlite(explain: Explain, { sql, parameters }: CompiledQuery): Promise<Costly[]> {
  const rows = await explain(`EXPLAIN QUERY PLAN ${sql}`, parameters);
  const tables = new Map(
    [...sql.matchAll(/"(\w+)" as "(\w+)"/g)].map(([, table = '', alias]) => [alias, table]),
  );
  const inner = new Set([...sql.matchAll(/\) as "(\w+)"/g)].map(([, alias]) => alias));
  const limited = / limit /i.test(sql);
  const ends = limited && !/ (where|group by) /i.test(afterFrom(sql));
  return rows.flatMap((row): Costly[] => {
    const { detail } = row as { detail: string };
    const [, name = ''] = /^SCAN (\S+)/.exec(detail) ?? [];
    if (/AUTOMATIC/.test(detail)) return [{ how: 'reads all', table: '' }];
    if (/TEMP B-TREE FOR (?!GROUP BY)/.test(detail) && limited) return [SORTS];
    // SCAN 2-ROW VALUES CLAUSE is what is inserted.
    if (name === '' || inner.has(name) || /^(CONSTANT|\d+-ROW)$/.test(name) || ends) return [];
    return [{ how: 'reads all', table: tables.get(name) ?? name }];
  });
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

const WAYS = [
  ['enable_seqscan'],
  ['enable_seqscan', 'enable_bitmapscan'],
  ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_hashjoin', 'enable_mergejoin'],
];

async function onPostgres(explain: Explain, { sql, parameters }: CompiledQuery): Promise<Costly[]> {
  const leads = await leadingColumns(explain);
  let fewest: Costly[] | undefined;
  for (const without of WAYS) {
    for (const means of without) await explain(`SET ${means} = off`, []);
    const [row] = await explain(`EXPLAIN (FORMAT JSON) ${sql}`, parameters);
    for (const means of without) await explain(`RESET ${means}`, []);
    const [{ Plan }] = (row as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
    const found = costlyIn(Plan, { leads });
    if (!fewest || found.length < fewest.length) fewest = found;
  }
  return fewest ?? [];
}

interface Walk {
  leads: ReadonlyMap<string, string>;
  ends?: boolean;
  limited?: boolean;
  of?: string;
}

/** The first column of each index: a condition on others alone goes through all of its entries. */
async function leadingColumns(explain: Explain): Promise<Map<string, string>> {
  const rows = await explain('SELECT indexname, indexdef FROM pg_indexes', []);
  return new Map(
    rows.map((row) => {
      const { indexname, indexdef } = row as { indexname: string; indexdef: string };
      const [, column = ''] = /USING btree \(([^,]+?)\)?(,|$)/.exec(indexdef) ?? [];
      return [
        indexname,
        column
          .replaceAll('"', '')
          .replace(/^\w+\(/, '')
          .replace(/\)$/, ''),
      ];
    }),
  );
}

/** `ends`: whatever this gives is taken until there is enough; `limited`: so is what becomes of it; `of`: the table it is for. */
function costlyIn(node: PlanNode, walk: Walk): Costly[] {
  const { leads, ends = false, limited = false, of = '' } = walk;
  const { 'Node Type': type, Plans: plans = [], Filter: filter } = node;
  const lead = leads.get(node['Index Name'] ?? '') ?? '';
  const found = lead !== '' && node['Index Cond']?.replaceAll('"', '').includes(lead);
  const table = node['Relation Name'] ?? of;
  const own: Costly[] = [];
  if (type === 'Seq Scan') own.push({ how: 'reads all', table });
  if (/Index (Only )?Scan$/.test(type) && !found && !(ends && !filter))
    own.push({ how: 'reads all', table });
  if (/Sort$/.test(type) && limited) own.push(SORTS);
  const begins = type === 'Limit';
  const below = {
    leads,
    of: table,
    ends: begins || (ends && /^(LockRows|Result|Subquery Scan)$/.test(type)),
    limited: begins || (limited && type !== 'Aggregate'),
  };
  return [...own, ...plans.flatMap((each) => costlyIn(each, below))];
}
