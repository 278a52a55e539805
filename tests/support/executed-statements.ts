/** Which statements a site really sends to its database, and which call each of them belongs to. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { CompiledQuery, DatabaseConnection, Kysely } from 'kysely';
import type { Tables } from '../../src/platform/database/tables.server.ts';
import type { TestApp } from './test-app.ts';

export interface Executed {
  /** The same words on both engines. */
  sql: string;
  query: CompiledQuery;
  /** What was under way when the request came; undefined for what the site does by itself. */
  during: string | undefined;
}

const REQUEST = 'http.server.request.start';
/** What begins and ends a transaction reads nothing. */
const CONTROL = /^(begin|commit|rollback|start transaction|set local|pragma|vacuum)/i;

/** Batches of the log are written, and its bytes bounded, by the clock: during whichever call that happens to be. */
const LOG_BATCH = /^\s*insert into "accessLog|^select "amount" from "accessLogHours" where "kind"/;

const ASIDE = 'what the test does itself';

export interface Listening {
  executed: readonly Executed[];
  /** Whatever requests cause until this has ended counts as theirs. */
  during<Given>(what: string, work: () => Promise<Given>): Promise<Given>;
  /** What a test does with the database is not heard. */
  aside<Given>(work: (db: Kysely<Tables>) => Promise<Given>): Promise<Given>;
  stop(): void;
}

/**
 * Listens from now on, where the site's own Kysely takes its connections: so nothing that goes by it is missed, and the
 * product needs no opening for this.
 */
export function executedStatements({ database }: Pick<TestApp, 'database'>): Listening {
  let underWay: string | undefined;
  let stopped = false;
  const asked = new AsyncLocalStorage<string | undefined>();
  const enter = () => asked.enterWith(underWay);
  subscribe(REQUEST, enter);
  const executed: Executed[] = [];
  const take = (query: CompiledQuery) => {
    const sql = query.sql.replace(/\$\d+/g, '?');
    const during = asked.getStore();
    if (!stopped && during !== ASIDE && !CONTROL.test(sql) && !LOG_BATCH.test(sql))
      executed.push({ sql, query, during });
  };
  const executor = database.db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const heard = new WeakSet<DatabaseConnection>();
  executor.provideConnection = (consume, ...options) =>
    provide(
      (connection) => {
        if (!heard.has(connection)) {
          heard.add(connection);
          const execute = connection.executeQuery.bind(connection);
          connection.executeQuery = (query, ...more) => {
            take(query);
            return execute(query, ...more);
          };
        }
        return consume(connection);
      },
      ...options,
    );
  return {
    executed,
    aside: (work) => asked.run(ASIDE, () => work(database.db)),
    async during(what, work) {
      underWay = what;
      try {
        return await work();
      } finally {
        underWay = undefined;
      }
    },
    stop() {
      stopped = true;
      executor.provideConnection = provide;
      unsubscribe(REQUEST, enter);
    },
  };
}
