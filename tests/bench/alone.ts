/**
 * The statements of a call by themselves, without the site: what Node and the database could do at most, were there no
 * request, no check and no answer. Read from the files that pgbench is given.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { openSqlite } from '../../src/platform/database/sqlite-dialect.server.ts';

/** As many as the bench has connections. */
const AT_ONCE = 32;
/** As many as the site's pool has. */
const POOL = 10;
const VARIABLES = ['n', 'order', 'key'] as const;

type Variable = (typeof VARIABLES)[number];

interface Statement {
  sql: string;
  variables: Variable[];
}

/** Each stands in a line of its own. */
export function statementsIn(file: string): Statement[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[a-z]/.test(line))
    .map((line) => ({
      sql: line.replace(/;$/, ''),
      variables: VARIABLES.filter((name) => line.includes(`:${name}`)),
    }));
}

/** As pgbench draws them. */
function draw(): Record<Variable, number> {
  const random = (from: number, to: number) => from + Math.floor(Math.random() * (to - from));
  return { n: random(1, 1e9), order: random(3e8, 2.1e9), key: random(1, 9e15) };
}

/** How often a second they are executed in the site's own database file, AT_ONCE of them to a commit. */
export function onSqlite(database: string, file: string, seconds: number): number {
  const opened = openSqlite(database);
  const statements = statementsIn(file)
    .filter(({ sql }) => !/^(begin|commit)/.test(sql))
    .map(({ sql, variables }) => ({ prepared: opened.prepare(sql), variables }));
  const began = performance.now();
  let done = 0;
  while (performance.now() - began < seconds * 1000) {
    opened.exec('begin');
    for (let one = 0; one < AT_ONCE; one += 1) {
      const drawn = draw();
      for (const { prepared, variables } of statements)
        prepared.all(Object.fromEntries(variables.map((name) => [name, drawn[name]])));
      done += 1;
    }
    opened.exec('commit');
  }
  const perSecond = (done * 1000) / (performance.now() - began);
  opened.close();
  return perSecond;
}

/** How often a second Node's driver sends them and has its answers, AT_ONCE at the same time. */
export async function byDriver(url: string, file: string, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: POOL });
  const statements = statementsIn(file).map(({ sql, variables }, place) => {
    let text = sql;
    for (const [index, name] of variables.entries())
      text = text.replaceAll(`:${name}`, `$${index + 1}::${name === 'order' ? 'int' : 'bigint'}`);
    return { name: `${place}`, text, variables };
  });
  const began = performance.now();
  let done = 0;
  const work = async () => {
    while (performance.now() - began < seconds * 1000) {
      const client = await pool.connect();
      const drawn = draw();
      for (const { variables, ...asked } of statements)
        await client.query({ ...asked, values: variables.map((name) => drawn[name]) });
      client.release();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const perSecond = (done * 1000) / (performance.now() - began);
  await pool.end();
  return perSecond;
}
