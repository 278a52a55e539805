/** All configuration, read and checked once at start. Each fault names its variable; all are told at once. */
import * as z from 'zod/mini';
import { isLoopback } from '../http/loopback.server.ts';
import { readAdmin } from './env-admin.server.ts';
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
    metricsToken: read.text('METRICS_TOKEN') ?? null,
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

function readStripe(read: Reader) {
  const api = read.url('STRIPE_API_URL', ['http:', 'https:']);
  if (api?.protocol === 'http:' && !isLoopback(api.hostname)) {
    read.faults.push('STRIPE_API_URL must begin with https:// (http:// on loopback only)');
  }
  const tax = read.choice('STRIPE_TAX', ['on', 'off']) === 'on';
  const keys = read.together([
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ]);
  if (!keys) return null;
  const expected = { STRIPE_SECRET_KEY: /^(sk|rk)_/, STRIPE_PUBLISHABLE_KEY: /^pk_/ };
  for (const [name, pattern] of Object.entries(expected)) {
    const value = read.text(name);
    if (value && !pattern.test(value))
      read.faults.push(`${name} must begin with ${pattern.source.slice(1)}`);
  }
  const live = isLive(keys.STRIPE_SECRET_KEY);
  if (keys.STRIPE_PUBLISHABLE_KEY && live !== isLive(keys.STRIPE_PUBLISHABLE_KEY)) {
    read.faults.push(
      `STRIPE_PUBLISHABLE_KEY must be of the same mode as STRIPE_SECRET_KEY, which is a ${live ? 'live' : 'test'} key`,
    );
  }
  const webhookSecrets = keys.STRIPE_WEBHOOK_SECRET.split(',').map((secret) => secret.trim());
  if (
    webhookSecrets.some((secret) => secret !== '' && !secret.startsWith('whsec_')) ||
    webhookSecrets.length > 2
  ) {
    read.faults.push(
      'STRIPE_WEBHOOK_SECRET must begin with whsec_ (two of them, with a comma, during a rotation)',
    );
  }
  return {
    secretKey: keys.STRIPE_SECRET_KEY,
    publishableKey: keys.STRIPE_PUBLISHABLE_KEY,
    /** Whether these are the live keys, with which real cards are charged. */
    live,
    /** One secret, or two while it is being rotated. */
    webhookSecrets,
    apiUrl: api?.origin ?? null,
    tax,
  };
}

/** Whether the operator has said that the test gateway may stand where customers come. */
function readPayments(read: Reader, publicUrl: string | null, stripe: boolean): boolean {
  const test = read.choice('PAYMENTS', ['test']) === 'test';
  if (test && stripe) {
    read.faults.push('PAYMENTS must not be test while the keys of Stripe are set');
  }
  if (!test && !stripe && publicUrl?.startsWith('https:')) {
    read.faults.push(
      'PAYMENTS is missing: without the keys of Stripe plans would be sold that nobody pays for' +
        ' (PAYMENTS=test says that this is meant)',
    );
  }
  return test;
}

function isLive(key: string): boolean {
  return /^(sk|rk|pk)_live_/.test(key);
}

/** What Teams is known to bear; a receiver on this machine, in tests, bears more. */
const TEAMS_PACE_MS = 1000;

/** `paceMs`: the least time between two cards. */
function readTeams(read: Reader) {
  const url = read.url('TEAMS_WEBHOOK_URL', ['http:', 'https:']);
  const payload = read.choice('TEAMS_PAYLOAD', ['envelope', 'card']) ?? 'envelope';
  const paceMs = read.integer('TEAMS_PACE_MS', TEAMS_PACE_MS, 0, 60_000);
  if (!url) return null;
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    read.faults.push('TEAMS_WEBHOOK_URL must begin with https:// (http:// on loopback only)');
  }
  if (
    /(^|\.)webhook\.office(365)?\.com$/.test(url.hostname) ||
    /^outlook\.office(365)?\.com$/.test(url.hostname)
  ) {
    read.faults.push(
      'TEAMS_WEBHOOK_URL is the address of an Office 365 connector; Microsoft switched those off in May 2026. ' +
        "Make a Workflows webhook ('Send webhook alerts to a channel') in Teams and use its address",
    );
  }
  if (url.username !== '' || url.password !== '') {
    read.faults.push('TEAMS_WEBHOOK_URL must hold no user name or password');
  }
  if (paceMs < TEAMS_PACE_MS && !isLoopback(url.hostname)) {
    read.faults.push(
      `TEAMS_PACE_MS must be at least ${TEAMS_PACE_MS}: Teams refuses more than a card a second`,
    );
  }
  return { webhookUrl: url.href, payload, paceMs };
}

const mailbox = z
  .string()
  .check(z.regex(/^([^<>\r\n"]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/));

function readMail(read: Reader) {
  const mail = read.together(['SMTP_URL', 'MAIL_FROM', 'MAIL_TO']);
  if (!mail) return null;
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  if (
    url &&
    (url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
  ) {
    read.faults.push(
      'SMTP_URL must name a server and nothing after it, such as smtps://user:password@mail.example.com:465',
    );
  }
  if (url && (url.username === '') !== (url.password === '')) {
    read.faults.push('SMTP_URL must hold a user name and a password, or neither');
  }
  for (const name of ['MAIL_FROM', 'MAIL_TO'] as const) {
    if (mail[name] && !mailbox.safeParse(mail[name]).success) {
      read.faults.push(`${name} must be an email address, such as 'Tidewell <hello@example.com>'`);
    }
  }
  return { smtpUrl: url?.href ?? '', from: mail.MAIL_FROM, to: mail.MAIL_TO };
}
