/** PostgreSQL through a connection pool. Loaded, with its driver, only when DATABASE_URL is set. */
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { CannotStart, reason } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import { DatabaseUnavailable, markErrors } from './database-unavailable.server.ts';
import type { DatabaseSource } from './tables.server.ts';

// PostgreSQL sends 64-bit integers as text. Ours are milliseconds and counts, far below 2⁵³.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const NAME = 'The database at DATABASE_URL';
/** PostgreSQL's 'invalid authorization' and 'invalid catalog name': waiting does not help. */
const MISCONFIGURED = /^(28|3D)/;
/** With one of these off, a crash of the machine can lose acknowledged orders. */
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
    // Compiling a statement, and starting workers for it, takes longer than any statement of ours.
    // Stricter isolation or impatience, which a database or role may have by default, fails what
    // runs beside.
    onConnect: (client) =>
      client.query(
        "set jit = off; set max_parallel_workers_per_gather = 0; set default_transaction_isolation = 'read committed'; set lock_timeout = 0",
      ),
  });
  // The pool replaces a connection that breaks while idle, whose error would end the process.
  pool.on('error', (error) =>
    logEvent('warn', 'database-connection-lost', { message: error.message }),
  );
  // As would an error between two queries of a transaction: now the next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { options } = pool;
  const connect = () => pool.connect().catch(rethrow);
  const end = () => pool.end();
  return {
    engine: 'postgres',
    name: NAME,
    open: () => refuseUnfit(pool).catch(rethrow),
    dialect: (opened) =>
      new PostgresDialect({
        pool: () => opened().then(() => ({ connect, options, end })),
        onCreateConnection: (connection) => markErrors(connection, rethrow),
      }),
    close: end,
  };
}

/** PostgreSQL's classes of errors for a server that is down, full, stopping or read-only. */
const UNAVAILABLE = /^(08|28|3D|53|57|58|25006$)/;
/** System calls on a connection; reading a certificate's file is none. */
const NETWORK_CALL = /^(connect|getaddrinfo|read|write)$/;
/** The driver's own errors have no code. They begin with these words, and quote nothing. */
const CONNECTION_LOST = /^(timeout e|Connection terminated|Query read timeout|Client (was|has))/;

function rethrow(error: unknown): never {
  throw isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

/** For errors of the driver. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (!(error instanceof Error)) return false;
  if ('syscall' in error) return NETWORK_CALL.test(String(error.syscall));
  // A connection that ends during TLS's handshake has a code alone.
  return ('code' in error && error.code === 'ECONNRESET') || CONNECTION_LOST.test(error.message);
}

/** Node's codes for a certificate of an authority that it does not know. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|CERT_UNTRUSTED/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What PgBouncer answers to the limits above, which it cannot keep for a session. */
const REFUSED_LIMITS = /unsupported startup parameter/;

/** Throws CannotStart for a database that could lose an order or a character. */
async function refuseUnfit(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings
       WHERE (name = ANY($1) AND setting = 'off') OR (name = 'server_encoding' AND setting <> 'UTF8')`,
      [DURABILITY],
    )
    .catch((error: unknown) => {
      if (error instanceof Error && REFUSED_LIMITS.test(error.message))
        throw new CannotStart(
          `${NAME} is behind a PgBouncer that refuses the limits of a session. Add this line to [pgbouncer] in its configuration, and set the limits in PostgreSQL: ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout`,
        );
      if (error instanceof pg.DatabaseError && MISCONFIGURED.test(error.code ?? ''))
        throw new CannotStart(`${NAME} cannot be used: ${reason(error)}`);
      if (UNTRUSTED.test(codeOf(error)))
        throw new CannotStart(
          `${NAME} has a certificate that this machine does not trust (${codeOf(error)}): end DATABASE_URL with sslmode=verify-full&sslrootcert=/path/to/ca.pem, the file of the authority that your provider lets you download`,
        );
      throw error;
    });
  const encoding = rows.find(({ name }) => name === 'server_encoding');
  if (encoding)
    throw new CannotStart(
      `${NAME} has the encoding ${encoding.setting}, which cannot store every character: create it with ENCODING 'UTF8' TEMPLATE template0`,
    );
  if (rows.length > 0) {
    const names = rows.map(({ name }) => name).join(' and ');
    throw new CannotStart(
      `The database runs with ${names} off: an acknowledged order could be lost`,
    );
  }
}
