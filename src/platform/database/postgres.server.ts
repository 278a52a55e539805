/** PostgreSQL through a connection pool. Loaded, with its driver, only when DATABASE_URL is set. */
import {
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { CannotStart, reason } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import { DatabaseUnavailable, markErrors } from './database-unavailable.server.ts';
import type { DatabaseSource } from './tables.server.ts';

// PostgreSQL sends 64-bit integers as text. Ours are milliseconds and counts, far below 2⁵³.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const NAME = 'The database at DATABASE_URL';
/** With one of these off, a crash of the machine can lose acknowledged orders. */
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'];

export function postgresSource(databaseUrl: string): DatabaseSource {
  const pool = new pg.Pool({
    connectionString: forDriver(databaseUrl),
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
    dialect(opened) {
      const config = {
        pool: () => opened().then(() => ({ connect, options, end })),
        onCreateConnection: (connection: DatabaseConnection) => markErrors(connection, rethrow),
      };
      const createDriver = () => new ReadCommittedDriver(config);
      return Object.assign(new PostgresDialect(config), { createDriver });
    },
    close: end,
  };
}

/** A pooler opens connections without the session's settings, so each transaction says its own. */
class ReadCommittedDriver extends PostgresDriver {
  override beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    return super.beginTransaction(connection, { ...settings, isolationLevel: 'read committed' });
  }
}

/** The driver verifies in these modes too, and prints a warning of its own for each name. */
export function forDriver(databaseUrl: string): string {
  return databaseUrl.includes('uselibpqcompat=true')
    ? databaseUrl
    : databaseUrl.replace(/\bsslmode=(prefer|require|verify-ca)\b/, 'sslmode=verify-full');
}

/** PostgreSQL's classes of errors for a server that is down, full, stopping, closed, read-only. */
const UNAVAILABLE = /^(08|28|3D|53|57|58|25006$|55000$)/;
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

/** What waiting does not mend, by its code and words, and what to do. */
const CURES: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/,
    'this is a PgBouncer that refuses the limits of a session: add this line to [pgbouncer] in its configuration, and set the limits in PostgreSQL: ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout',
  ],
  [/^28.*no encryption/, 'end DATABASE_URL with sslmode=verify-full, since it takes no other'],
  [/^28.*pg_hba/, 'let this machine in there, or see user and database in DATABASE_URL'],
  [/^28|client password/, 'see user and password in DATABASE_URL'],
  [/^3D/, 'create it, or name another one in DATABASE_URL'],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|CERT_UNTRUSTED/,
    'this machine does not trust its certificate: end DATABASE_URL with sslmode=verify-full&sslrootcert=/path/to/ca.pem, the file of the authority that your provider lets you download',
  ],
  [/ALTNAME_INVALID/, 'name it in DATABASE_URL as its certificate does'],
  [/CERT_HAS_EXPIRED/, 'renew its certificate'],
  [/not support SSL/, 'switch on its encryption, or take sslmode out of DATABASE_URL'],
];

/** Throws CannotStart for a database that could lose an order or a character. */
async function refuseUnfit(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings
       WHERE (name = ANY($1) AND setting = 'off') OR (name = 'server_encoding' AND setting <> 'UTF8')`,
      [DURABILITY],
    )
    .catch((error: unknown) => {
      const words = `${Object(error).code} ${reason(error)}`;
      const [, cure] = CURES.find(([fault]) => fault.test(words)) ?? [];
      if (cure) throw new CannotStart(`${NAME} cannot be used: ${reason(error)}; ${cure}`);
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
