/** All configuration, read and checked once at start. Each error names its variable; all are reported at once. */
import { MAX_PASSWORD, usernameField } from '../fields.ts';
import { CannotStart } from './cannot-start.server.ts';

/** Valid only while ADMIN_PASSWORD is not set; the sign-in page shows them. */
export const DEMO_USERNAME = 'admin';
export const DEMO_PASSWORD = 'showroom-demo';
/** In characters. */
export const MIN_PASSWORD = 12;
/** The default of KEEP_MESSAGES_DAYS. */
export const KEEP_MESSAGES_DAYS = 730;
/** Teams accepts one card a second. Receivers on this machine, as in tests, may be faster. */
const TEAMS_PACE_MS = 1000;

type Variables = Readonly<Record<string, string | undefined>>;

export type Env = ReturnType<typeof readEnv>;
export type StripeEnv = NonNullable<Env['stripe']>;

/** Reads the variables of `.env.example`; throws a CannotStart that lists every error. */
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
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:'], withHost)?.href ?? null,
    admin: readAdmin(read, demoMode ? [] : exposures(host, publicUrl, trustProxy)),
    stripe,
    /** PAYMENTS=test: customers use the test gateway, and staff are reminded that no money moves. */
    noMoneyMoves: readPayments(read, publicUrl, stripe !== null),
    teams: readTeams(read),
    mail: readMail(read),
    trustProxy,
    hsts: readHsts(read, publicUrl),
    logRetentionHours: read.integer('LOG_RETENTION_HOURS', 48, 24, 24 * 365),
    logMaxMb: read.integer('LOG_MAX_MB', 1024, 1, 1024 * 1024),
    /** 0: for ever. */
    keepMessagesDays: read.integer('KEEP_MESSAGES_DAYS', KEEP_MESSAGES_DAYS, 0, 36_500),
  };
  if (read.errors.length > 0) throw new CannotStart('The configuration is not valid:', read.errors);
  return env;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/;

/** Whether the host is this machine, where traffic needs no encryption and strangers cannot connect. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether traffic to the URL is encrypted or never leaves this machine. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname);
}

function readOrigin(read: Reader, demoMode: boolean): string | null {
  const url = read.url('PUBLIC_URL', ['http:', 'https:']);
  if (!url) return null;
  read.expect(
    url.href === `${url.origin}/`,
    'PUBLIC_URL must be an origin, such as https://www.example.com, without a path',
  );
  read.expect(
    isPrivate(url) || demoMode,
    'PUBLIC_URL must begin with https://: without encryption cookies and messages can be read on the way' +
      ' (DEMO_MODE=on says that this is meant)',
  );
  return url.origin;
}

/** What browsers should open by https only; null without https. */
function readHsts(read: Reader, publicUrl: string | null) {
  const reach = read.choice('HSTS', ['host', 'subdomains', 'preload']) ?? 'host';
  return publicUrl?.startsWith('https:') ? reach : null;
}

/** The settings that let strangers reach the server; none while it serves this machine only. */
function exposures(host: string, publicUrl: string | null, trustProxy: number): string[] {
  const publicHost = publicUrl === null ? host : new URL(publicUrl).hostname;
  return [
    ...(isLoopback(host) ? [] : [`HOST is ${host}`]),
    ...(isLoopback(publicHost) || publicHost === host ? [] : [`PUBLIC_URL names ${publicHost}`]),
    ...(trustProxy === 0 ? [] : ['TRUST_PROXY is set']),
  ];
}

/** `exposed`: the settings that let strangers reach the server. The demo password is refused when there are any. */
function readAdmin(read: Reader, exposed: readonly string[]) {
  const password = read.text('ADMIN_PASSWORD');
  read.expect(
    exposed.length === 0 || (password !== undefined && password !== DEMO_PASSWORD),
    `ADMIN_PASSWORD is ${password ? 'the demo password' : 'missing'}: strangers may reach this server (${exposed.join(', ')}),` +
      ' and everyone can read the demo password (DEMO_MODE=on says that this is meant)',
  );
  const { length = MIN_PASSWORD } = password ?? {};
  read.expect(
    length >= MIN_PASSWORD && length <= MAX_PASSWORD,
    `ADMIN_PASSWORD must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`,
  );
  // Normalized like the sign-in form's field, or no sign-in could match it.
  const username = usernameField().safeParse(read.text('ADMIN_USERNAME') ?? DEMO_USERNAME);
  for (const { message } of username.error?.issues ?? [])
    read.errors.push(`ADMIN_USERNAME: ${message}`);
  return {
    username: username.data ?? '',
    password: password ?? DEMO_PASSWORD,
    /** Whether these are the demo credentials, which the sign-in page shows. */
    demo: !password,
  };
}

function readStripe(read: Reader) {
  const api = read.url('STRIPE_API_URL', ['http:', 'https:']);
  read.expect(
    !api || isPrivate(api),
    'STRIPE_API_URL must begin with https:// (http:// on loopback only)',
  );
  const tax = read.choice('STRIPE_TAX', ['on', 'off']) === 'on';
  const keys = read.allOrNone([
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ]);
  if (!keys) return null;
  const secretKey = keys.STRIPE_SECRET_KEY;
  const publishableKey = keys.STRIPE_PUBLISHABLE_KEY;
  const webhookSecret = keys.STRIPE_WEBHOOK_SECRET;
  const live = isLive(secretKey);
  read.expect(/^$|^(sk|rk)_/.test(secretKey), 'STRIPE_SECRET_KEY must begin with sk_ or rk_');
  read.expect(/^$|^pk_/.test(publishableKey), 'STRIPE_PUBLISHABLE_KEY must begin with pk_');
  read.expect(
    publishableKey === '' || live === isLive(publishableKey),
    `STRIPE_PUBLISHABLE_KEY must be of the same mode as STRIPE_SECRET_KEY, which is a ${live ? 'live' : 'test'} key`,
  );
  read.expect(/^$|^whsec_/.test(webhookSecret), 'STRIPE_WEBHOOK_SECRET must begin with whsec_');
  return {
    secretKey,
    publishableKey,
    /** Whether these are live keys, which charge real cards. */
    live,
    webhookSecret,
    apiUrl: api?.origin ?? null,
    tax,
  };
}

function isLive(key: string): boolean {
  return /^(sk|rk|pk)_live_/.test(key);
}

/** Whether PAYMENTS=test allows the test gateway on a public site. */
function readPayments(read: Reader, publicUrl: string | null, stripe: boolean): boolean {
  const test = read.choice('PAYMENTS', ['test']) === 'test';
  read.expect(!test || !stripe, 'PAYMENTS must not be test while the keys of Stripe are set');
  read.expect(
    test || stripe || !publicUrl?.startsWith('https:'),
    'PAYMENTS is missing: without the keys of Stripe plans would be sold that nobody pays for' +
      ' (PAYMENTS=test says that this is meant)',
  );
  return test;
}

function readTeams(read: Reader) {
  const url = read.url('TEAMS_WEBHOOK_URL', ['http:', 'https:']);
  const payload = read.choice('TEAMS_PAYLOAD', ['envelope', 'card']) ?? 'envelope';
  const paceMs = read.integer('TEAMS_PACE_MS', TEAMS_PACE_MS, 0, 60_000);
  if (!url) return null;
  read.expect(
    isPrivate(url),
    'TEAMS_WEBHOOK_URL must begin with https:// (http:// on loopback only)',
  );
  read.expect(
    !/(^|\.)webhook\.office(365)?\.com$|^outlook\.office(365)?\.com$/.test(url.hostname),
    'TEAMS_WEBHOOK_URL is the address of an Office 365 connector; Microsoft switched those off in May 2026. ' +
      "Make a Workflows webhook ('Send webhook alerts to a channel') in Teams and use its address",
  );
  read.expect(
    url.username === '' && url.password === '',
    'TEAMS_WEBHOOK_URL must hold no user name or password',
  );
  read.expect(
    paceMs >= TEAMS_PACE_MS || isLoopback(url.hostname),
    `TEAMS_PACE_MS must be at least ${TEAMS_PACE_MS}: Teams refuses more than a card a second`,
  );
  /** `paceMs`: the minimum time between two cards. */
  return { webhookUrl: url.href, payload, paceMs };
}

/** A mailbox as in RFC 5322, without comments, groups and lists: nothing that a mail program may read in another way. */
const NAMED_MAILBOX = /^(?:"([^"\\\p{C}]*)" *|([^"\\<>()[\],:;@\p{C}]*))<([^<>]*)>$/u;
const MAIL_ADDRESS =
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)*$/u;

interface Mailbox {
  /** May be empty. */
  name: string;
  address: string;
}

function readMailbox(text: string): Mailbox | undefined {
  const [, quoted, words = '', address = text] = NAMED_MAILBOX.exec(text) ?? [];
  return MAIL_ADDRESS.test(address) ? { name: quoted ?? words.trim(), address } : undefined;
}

function readMail(read: Reader) {
  const mail = read.allOrNone(['SMTP_URL', 'MAIL_FROM', 'MAIL_TO']);
  if (!mail) return null;
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  const { hostname = 'unread', pathname = '', search = '', hash = '' } = url ?? {};
  read.expect(
    hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === '',
    'SMTP_URL must name a server and nothing after it, such as smtps://user:password@mail.example.com:465',
  );
  read.expect(
    !url || (url.username === '') === (url.password === ''),
    'SMTP_URL must hold a user name and a password, or neither',
  );
  const mailbox = (name: 'MAIL_FROM' | 'MAIL_TO'): Mailbox => {
    const found = readMailbox(mail[name]);
    read.expect(
      found !== undefined || mail[name] === '',
      `${name} must be one email address, such as 'Tidewell <hello@example.com>' (a name with other signs than letters, digits and dots: '"Tidewell, Inc." <hello@example.com>')`,
    );
    return found ?? { name: '', address: '' };
  };
  return { smtpUrl: url?.href ?? '', from: mailbox('MAIL_FROM'), to: mailbox('MAIL_TO') };
}

/** Reads variables one by one and collects a message for each invalid one. */
function reader(variables: Variables) {
  const errors: string[] = [];
  const text = (name: string) => variables[name]?.trim() || undefined;
  return {
    errors,
    text,
    expect(holds: boolean, error: string): void {
      if (!holds) errors.push(error);
    },
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === undefined) return fallback;
      if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max)
        return Number(value);
      errors.push(`${name} must be a whole number from ${min} to ${max}, not '${value}'`);
      return fallback;
    },
    choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
      const value = text(name);
      const found = values.find((each) => each === value);
      if (value !== undefined && !found)
        errors.push(`${name} must be ${values.join(' or ')}, not '${value}'`);
      return found;
    },
    url(
      name: string,
      protocols: readonly string[],
      complete = (value: string) => value,
    ): URL | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const url = URL.parse(complete(value));
      // The messages do not repeat the value, which may contain a password.
      const beginnings = protocols.map((protocol) => `${protocol}//`);
      if (!beginnings.some((beginning) => value.toLowerCase().startsWith(beginning))) {
        errors.push(`${name} must be an address that begins with ${beginnings.join(' or ')}`);
        return undefined;
      }
      if (!url) {
        errors.push(
          `${name} is not a valid address (in a password, / is written as %2F, # as %23 and ? as %3F)`,
        );
        return undefined;
      }
      if (!isDecodable(url)) {
        errors.push(`${name} must have a percent sign in its password written as %25`);
        return undefined;
      }
      return url;
    },
    /** Values of variables that must be set together; null when none is set. */
    allOrNone<Name extends string>(names: readonly Name[]): Record<Name, string> | null {
      const missing = names.filter((name) => text(name) === undefined);
      if (missing.length === names.length) return null;
      for (const name of missing) {
        const given = names.filter((each) => !missing.includes(each));
        errors.push(`${name} is missing: ${given.join(' and ')} need it`);
      }
      return Object.fromEntries(names.map((name) => [name, text(name) ?? ''])) as Record<
        Name,
        string
      >;
    },
  };
}

/** PostgreSQL's own addresses leave the host out when a parameter names the folder of its socket; URL needs one. */
export function withHost(address: string): string {
  return address.replace(/^(\w+:\/\/[^/?#]*@)(?=\/)/, '$1localhost');
}

/** A password with a bare % in it cannot be decoded. */
function isDecodable({ username, password }: URL): boolean {
  return !/%(?![\da-f]{2})/i.test(username + password);
}

type Reader = ReturnType<typeof reader>;
