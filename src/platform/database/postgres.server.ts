/** PostgreSQL behind a pool of connections. Only a site with DATABASE_URL loads this and the driver. */
import {
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { CannotStart } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import { onTheWay } from './database-away.server.ts';
import { cannotBeUsed, type DatabaseSource } from './database-opening.server.ts';

// PostgreSQL sends 64-bit integers as text; ours are milliseconds and counts, far below 2⁵³.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function postgresSource(databaseUrl: string): DatabaseSource {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 1500,
    query_timeout: 10_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) =>
    logEvent('warn', 'database-connection-lost', { message: error.message }),
  );
  // So would one that breaks between two queries of a transaction; here the next query is refused.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const prepared = preparing(pool);
  return {
    engine: 'postgres',
    name: NAME,
    dialect: (open) => new PostgresDialect({ pool: () => open().then(() => prepared) }),
    reach: () => refuseUnsafeDurability(pool),
    close: () => pool.end(),
  };
}

/** Those that are built for lists of values vary; what is beyond these is planned each time. */
const MOST_PREPARED = 500;

/**
 * PostgreSQL reads and plans each statement once for a connection. Should another version of the site add a column, it
 * refuses the plans of all that give every column: those are made again, but not in a transaction, which the refusal ends.
 */
function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  let given = 0;
  const nameOf = (sql: string) => {
    if (!names.has(sql) && names.size < MOST_PREPARED) {
      given += 1;
      names.set(sql, `site-${given}`);
    }
    return names.get(sql);
  };
  const prepared = (client: pg.PoolClient): PostgresPoolClient => {
    function query<Row>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
    function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
    function query(
      sql: string | PostgresCursor<unknown>,
      values: readonly unknown[] = [],
    ): unknown {
      if (typeof sql !== 'string') throw new Error('PostgreSQL is read in pieces, not streamed');
      const asked = { text: sql, values: [...values] };
      const isAlone = client.getTransactionStatus() === 'I';
      if (values.length === 0 || (!isAlone && sql.includes('*')))
        return client.query(asked).catch(refuse);
      return client
        .query({ ...asked, name: nameOf(sql) })
        .catch((error: unknown) => {
          if (!isAlone || !isOutdated(error)) throw error;
          names.clear();
          return client.query({ ...asked, name: nameOf(sql) });
        })
        .catch(refuse);
    }
    return { query, release: (destroy) => client.release(destroy) };
  };
  return {
    options: pool.options,
    connect: async () => prepared(await pool.connect().catch(refuse)),
    end: () => pool.end(),
  };
}

function refuse(error: unknown): never {
  throw onTheWay(error);
}

function isOutdated(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '0A000' &&
    error.message.includes('cached plan')
  );
}

const NAME = 'The database at DATABASE_URL';
/** PostgreSQL's classes 'invalid authorization' and 'invalid catalog name': no waiting makes them right. */
const WRONG = /^(28|3D)/;

/** With one of these off, the machine's failure loses what was acknowledged. */
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'];

async function refuseUnsafeDurability(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query(`SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = 'off'`, [DURABILITY])
    .catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && WRONG.test(error.code ?? ''))
        throw cannotBeUsed(NAME, error);
      throw error;
    });
  if (rows.length > 0) {
    const names = rows.map(({ name }) => name).join(' and ');
    throw new CannotStart(
      `The database runs with ${names} off: an acknowledged order could be lost`,
    );
  }
}
