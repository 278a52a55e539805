/** PostgreSQL behind a pool of connections. Only a site with DATABASE_URL loads this and the driver. */
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { CannotStart, reason } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import type { DatabaseSource } from './tables.server.ts';

// PostgreSQL sends 64-bit integers as text; ours are milliseconds and counts, far below 2⁵³.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const NAME = 'The database at DATABASE_URL';
/** PostgreSQL's classes 'invalid authorization' and 'invalid catalog name': no waiting makes them right. */
const WRONG = /^(28|3D)/;
/** With one of these off, the machine's failure loses what was acknowledged. */
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'];

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
  return {
    engine: 'postgres',
    name: NAME,
    open: () => refuseUnsafeDurability(pool),
    dialect: (opened) => new PostgresDialect({ pool: () => opened().then(() => pool) }),
    close: () => pool.end(),
  };
}

async function refuseUnsafeDurability(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query(`SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = 'off'`, [DURABILITY])
    .catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && WRONG.test(error.code ?? ''))
        throw new CannotStart(`${NAME} cannot be used: ${reason(error)}`);
      throw error;
    });
  if (rows.length > 0) {
    const names = rows.map(({ name }) => name).join(' and ');
    throw new CannotStart(
      `The database runs with ${names} off: an acknowledged order could be lost`,
    );
  }
}
