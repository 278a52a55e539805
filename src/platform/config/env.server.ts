/** All configuration, read and checked once at start. Each fault names its variable; all are told at once. */
import { isLoopback } from '../http/loopback.server.ts';
import { readAdmin } from './env-admin.server.ts';
import { readMail, readTeams } from './env-channels.server.ts';
import { readPayments, readStripe } from './env-payments.server.ts';
import { type Reader, reader, type Variables } from './env-reader.server.ts';

/** The default of the variable. */
export const KEEP_MESSAGES_DAYS = 730;

export type Env = ReturnType<typeof readEnv>;
export type StripeEnv = NonNullable<Env['stripe']>;

export class InvalidEnv extends Error {
  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'InvalidEnv';
  }
}

/** Reads the variables of contract and `.env.example`; throws an InvalidEnv that lists every fault. */
export function readEnv(variables: Variables) {
  const read = reader(variables);

  const host = read.text('HOST') ?? '127.0.0.1';
  const demoMode = read.choice('DEMO_MODE', ['on', 'off']) === 'on';
  const publicUrl = readOrigin(read, demoMode);
  const trustProxy = read.integer('TRUST_PROXY', 0, 0, 10);
  const stripe = readStripe(read);

  const env = {
    port: read.integer('PORT', 3000, 0, 65_535),
    host,
    /** The site's own origin, without a slash at the end; null: the address it listens on. */
    publicUrl,
    dataDir: read.text('DATA_DIR') ?? './data',
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:'])?.href ?? null,
    admin: readAdmin(read, { host, publicUrl, trustProxy, demoMode }),
    stripe,
    /** PAYMENTS=test: the test gateway stands where customers come, and staff are reminded that no money moves. */
    noMoneyMoves: readPayments(read, publicUrl, stripe !== null),
    teams: readTeams(read),
    mail: readMail(read),
    trustProxy,
    logRetentionHours: read.integer('LOG_RETENTION_HOURS', 48, 24, 24 * 365),
    logMaxMb: read.integer('LOG_MAX_MB', 1024, 1, 1024 * 1024),
    /** 0: for ever. */
    keepMessagesDays: read.integer('KEEP_MESSAGES_DAYS', KEEP_MESSAGES_DAYS, 0, 36_500),
  };
  if (read.faults.length > 0) throw new InvalidEnv(read.faults);
  return env;
}

function readOrigin(read: Reader, demoMode: boolean): string | null {
  const url = read.url('PUBLIC_URL', ['http:', 'https:']);
  if (!url) return null;
  if (url.href !== `${url.origin}/`) {
    read.faults.push(
      'PUBLIC_URL must be an origin, such as https://www.example.com, without a path',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !demoMode) {
    read.faults.push(
      'PUBLIC_URL must begin with https://: without encryption cookies and messages can be read on the way' +
        ' (DEMO_MODE=on says that this is meant)',
    );
  }
  return url.origin;
}
