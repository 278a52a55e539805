/** All configuration, read and checked once at start. All faults are reported at once. */
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { BACKUP_KEEP, KEEP_MESSAGES_DAYS, MAX_PASSWORD, MIN_PASSWORD } from './limits.ts';
import {
  GRAPH_KEYS,
  graphSettings,
  graphVariables,
} from './notifications/graph-settings.server.ts';
import {
  checkStripeVariables,
  stripeSettings,
  stripeVariables,
} from './payments/stripe/stripe-settings.server.ts';
import { CannotStart } from './platform/config/cannot-start.server.ts';
import {
  type AddFault,
  checkTogether,
  choice,
  integer,
  isLoopback,
  isPrivate,
  privateUrl,
  textThat,
  url,
} from './platform/config/env-fields.server.ts';
import { type Given, readGiven } from './platform/config/environment.server.ts';
import { usernameField } from './platform/fields.ts';
import { checkOidc, oidcSettings, oidcVariables } from './sign-in/oidc-settings.server.ts';

/** Valid only while ADMIN_PASSWORD is not set; the sign-in page shows them. */
const DEMO_USERNAME = 'admin';
const DEMO_PASSWORD = 'showroom-demo';
/** Teams accepts one card a second. Receivers on this machine, as in tests, may be faster. */
const TEAMS_PACE_MS = 1000;

/** The form of Standard Webhooks. */
const WEBHOOK_SECRET = /^whsec_(?=.{32,88}$)([a-z\d+/]{4})+([a-z\d+/]{2}==|[a-z\d+/]{3}=)?$/i;

const isUsername = (value: string) => usernameField().safeParse(value).success;
const isMailbox = (value: string) => readMailbox(value) !== undefined;
const mailbox = textThat(
  isMailbox,
  "must be one email address, such as 'Tidewell <hello@example.com>' (a name with other characters than letters, digits, and dots: '\"Tidewell, Inc.\" <hello@example.com>')",
);
const folder = z
  .string()
  .check(
    z.refine(
      (value) => !value.startsWith('~'),
      'must not begin with ~, which stands for a home folder in a shell alone: write the path out',
    ),
  );

/** `.env.example` explains each. */
const own = {
  PORT: integer(3000, 0, 65_535),
  HOST: z._default(
    z
      .string()
      .check(
        z.refine(
          (value) => isIP(value) > 0 || /^[\w.-]+$/.test(value),
          'must be an address of this machine without a port, such as 127.0.0.1 or ::',
        ),
      ),
    '127.0.0.1',
  ),
  PUBLIC_URL: url(['http:', 'https:']),
  HSTS: choice('trial', 'host', 'subdomains', 'preload'),
  DATA_DIR: z._default(folder, './data'),
  CONTENT_DIR: z.optional(folder),
  BACKUP_DIR: z.optional(folder),
  BACKUP_KEEP: integer(BACKUP_KEEP, 1, 3_650),
  DATABASE_URL: url(['postgres:', 'postgresql:'], withHost),
  ADMIN_USERNAME: textThat(isUsername, 'must have at most 100 characters that can be displayed'),
  ADMIN_PASSWORD: textThat(
    (value) => /^.+$/.test(value) && value.length >= MIN_PASSWORD && value.length <= MAX_PASSWORD,
    `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters in one line`,
  ),
  STAFF_SECOND_FACTOR: choice('optional', 'required'),
  DEMO_MODE: choice('on', 'off'),
  ...oidcVariables,
  ...stripeVariables,
  PAYMENTS: choice('test'),
  TEAMS_WEBHOOK_URL: privateUrl(),
  TEAMS_PAYLOAD: choice('envelope', 'card'),
  TEAMS_PACE_MS: integer(TEAMS_PACE_MS, 0, 60_000),
  WEBHOOK_URL: privateUrl(),
  WEBHOOK_SECRET: textThat(
    (value) => WEBHOOK_SECRET.test(value),
    'must be whsec_ and then 24 to 64 random bytes in Base64',
  ),
  SMTP_URL: url(['smtp:', 'smtps:']),
  ...graphVariables,
  MAIL_FROM: mailbox,
  MAIL_TO: mailbox,
  TRUST_PROXY: integer(0, 0, 10),
  LOG_RETENTION_HOURS: integer(48, 24, 24 * 365),
  LOG_MAX_MB: integer(1024, 1, 1024 * 1024),
  METRICS_TOKEN: textThat(
    (value) => /^[\w.~+/-]{20,200}=*$/.test(value),
    'must have 20 to 200 letters, digits, and any of -._~+/',
  ),
  KEEP_MESSAGES_DAYS: integer(KEEP_MESSAGES_DAYS, 0, 36_500),
};

const variables = z.object({
  ...own,
  // systemd sets these two, for a unit of Type=notify.
  NOTIFY_SOCKET: z.optional(z.string()),
  WATCHDOG_USEC: integer(0, 0, Number.MAX_SAFE_INTEGER),
});

/** ONCE hands over a mail server by these, of which SMTP_URL and MAIL_FROM are made. */
const ONCE_MAIL = [
  'SMTP_ADDRESS',
  'SMTP_PORT',
  'SMTP_USERNAME',
  'SMTP_PASSWORD',
  'MAILER_FROM_ADDRESS',
];
export const VARIABLE_NAMES = [...Object.keys(own), ...ONCE_MAIL];

type Variables = z.output<typeof variables>;

const schema = z.pipe(
  variables.check(
    z.superRefine(
      (env, { addIssue, issues }) => {
        // What is invalid by itself is not compared with other variables.
        const invalid = new Set(issues.map(({ path = [] }) => path[0]));
        const addFault: AddFault = (name, message) => {
          if (!invalid.has(name))
            addIssue({ code: 'custom', input: undefined, path: [name], message });
        };
        checkPublicUrl(env, addFault);
        checkDemo(env, addFault);
        checkSecondFactor(env, addFault);
        checkOidc(env, addFault);
        checkStripeVariables(env, addFault);
        checkPayments(env, addFault);
        checkTeams(env, addFault);
        checkTogether(env, ['WEBHOOK_URL', 'WEBHOOK_SECRET'], addFault);
        checkMail(env, addFault);
      },
      // Also when variables are invalid by themselves, so that all faults are reported at once.
      { when: () => true },
    ),
  ),
  z.transform(settings),
);

export type Env = z.output<typeof schema>;

/** Reads the variables of `.env.example`; throws a CannotStart that lists every fault. */
export function readEnv(environment: Readonly<Record<string, string | undefined>>): Env {
  const faults: string[] = [];
  const given = withOnceMail(readGiven(environment, VARIABLE_NAMES, faults), faults);
  const quoted = VARIABLE_NAMES.filter((name) => isQuoted(given[name] ?? ''));
  faults.push(...quoted.map((name) => `${name} is in quotes, which would be part of its value`));
  const { data, error } = schema.safeParse(given);
  if (data && faults.length === 0) return data;
  const issues = error?.issues.filter(({ path }) => !quoted.includes(path.join('.'))) ?? [];
  throw new CannotStart('The configuration is not valid:', [
    ...faults,
    ...issues.map(({ path, message }) => `${path.join('.')} ${message}`),
  ]);
}

function withOnceMail(given: Given, faults: string[]): Given {
  const [host, port, username = '', password = '', from = ''] = ONCE_MAIL.map(
    (name) => given[name],
  );
  if (!host || given.SMTP_URL || given.MAIL_FROM || given.GRAPH_CLIENT_ID) return given;
  const url = URL.parse(`${port === '465' ? 'smtps' : 'smtp'}://${host}${port ? `:${port}` : ''}`);
  if (!url) {
    faults.push('SMTP_ADDRESS and SMTP_PORT must be the name of a mail server and a port');
    return given;
  }
  url.username = encodeURIComponent(username);
  url.password = encodeURIComponent(password);
  return {
    MAIL_TO: companyAddress(contentFolder(given)),
    ...given,
    SMTP_URL: url.href,
    MAIL_FROM: from,
  };
}

/** '' if company.json has none, of which the content's own check tells. */
function companyAddress(folder: string): string {
  try {
    return String(JSON.parse(readFileSync(join(folder, 'company.json'), 'utf8')).email);
  } catch {
    return '';
  }
}

/** Content lies outside the program, so that an upgrade does not replace it. */
function contentFolder(given: {
  CONTENT_DIR?: string | undefined;
  DATA_DIR?: string | undefined;
}): string {
  const { CONTENT_DIR, DATA_DIR = './data' } = given;
  if (CONTENT_DIR) return CONTENT_DIR;
  const besideData = join(DATA_DIR, 'content');
  return existsSync(besideData) ? besideData : 'content';
}

/** A shell, systemd and Compose take quotes away; `docker run --env-file` does not. */
function isQuoted(value: string): boolean {
  return /^["']/.test(value) && value.endsWith(value.charAt(0));
}

function settings(env: Variables) {
  const publicUrl = env.PUBLIC_URL?.origin ?? null;
  return {
    port: env.PORT,
    host: env.HOST,
    /** The site's own origin, without a slash at the end; null: the address it listens on. */
    publicUrl,
    dataDir: env.DATA_DIR,
    contentDir: contentFolder(env),
    /** Where a copy is kept of each night; null: nowhere. */
    backups: env.BACKUP_DIR ? { folder: env.BACKUP_DIR, keep: env.BACKUP_KEEP } : null,
    databaseUrl: env.DATABASE_URL?.href ?? null,
    /** The example company may have orders: the demo's, which nobody pays. */
    isDemo:
      env.DEMO_MODE === 'on' || (env.ADMIN_PASSWORD === undefined && env.STAFF_PASSWORD !== 'off'),
    admin: {
      // Normalized like the sign-in form's field, or no sign-in could match it.
      username: usernameField().parse(env.ADMIN_USERNAME ?? DEMO_USERNAME),
      password: env.ADMIN_PASSWORD ?? DEMO_PASSWORD,
      demo: env.ADMIN_PASSWORD === undefined && env.STAFF_PASSWORD !== 'off',
      isPublic: (env.ADMIN_PASSWORD ?? DEMO_PASSWORD) === DEMO_PASSWORD,
    },
    /** Staff who came in by the password must set up an authenticator before anything else. */
    secondFactorRequired: env.STAFF_SECOND_FACTOR === 'required',
    staffPassword: env.STAFF_PASSWORD !== 'off',
    oidc: oidcSettings(env),
    stripe: stripeSettings(env),
    /** PAYMENTS=test: customers use the test gateway, and staff read that no money moves. */
    testPayments: env.PAYMENTS === 'test',
    teams: env.TEAMS_WEBHOOK_URL
      ? {
          webhookUrl: env.TEAMS_WEBHOOK_URL.href,
          payload: env.TEAMS_PAYLOAD ?? 'envelope',
          /** The minimum time between two cards. */
          paceMs: env.TEAMS_PACE_MS,
        }
      : null,
    webhook:
      env.WEBHOOK_URL && env.WEBHOOK_SECRET
        ? {
            url: env.WEBHOOK_URL.href,
            key: Buffer.from(env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64'),
          }
        : null,
    mail: mailSettings(env),
    trustProxy: env.TRUST_PROXY,
    /** What browsers should open by https only; null without https. */
    hsts: publicUrl?.startsWith('https:') ? (env.HSTS ?? 'host') : null,
    logRetentionHours: env.LOG_RETENTION_HOURS,
    logMaxMb: env.LOG_MAX_MB,
    /** Who has it may read /metrics, which is not there without it. */
    metricsToken: env.METRICS_TOKEN ?? null,
    /** 0: for ever. */
    keepMessagesDays: env.KEEP_MESSAGES_DAYS,
    /** systemd wants to be told how this process is; `watchdogMs`: how often at least, or 0. */
    systemd: env.NOTIFY_SOCKET ? { watchdogMs: env.WATCHDOG_USEC / 1000 } : null,
  };
}

function checkPublicUrl({ PUBLIC_URL: publicUrl, DEMO_MODE }: Variables, addFault: AddFault): void {
  if (!publicUrl) return;
  const isOneHost = /^(\[[\da-f:]+\]|[\w.-]*[\w-])$/.test(publicUrl.hostname);
  if (publicUrl.href !== `${publicUrl.origin}/` || !isOneHost)
    addFault('PUBLIC_URL', 'must be an origin, such as https://www.example.com, without a path');
  if (!isPrivate(publicUrl) && DEMO_MODE !== 'on')
    addFault(
      'PUBLIC_URL',
      'must begin with https://: without encryption cookies and messages can be read on the way' +
        ' (DEMO_MODE=on says that this is meant)',
    );
}

/** The settings that let strangers reach the server; none while it serves this machine only. */
function exposures({ HOST: host, PUBLIC_URL, TRUST_PROXY }: Variables): string[] {
  const publicHost = PUBLIC_URL?.hostname ?? host;
  return [
    ...(isLoopback(host) ? [] : [`HOST is ${host}`]),
    ...(isLoopback(publicHost) || publicHost === host ? [] : [`PUBLIC_URL names ${publicHost}`]),
    ...(TRUST_PROXY > 0 ? ['TRUST_PROXY is set'] : []),
  ];
}

/** Where strangers may reach the server, the demo password is refused. */
function checkDemo(env: Variables, addFault: AddFault): void {
  const { ADMIN_PASSWORD: password = DEMO_PASSWORD, DEMO_MODE } = env;
  const exposed = exposures(env);
  const isSafe = password !== DEMO_PASSWORD || env.STAFF_PASSWORD === 'off';
  if (isSafe || DEMO_MODE === 'on' || exposed.length === 0) return;
  addFault(
    'ADMIN_PASSWORD',
    `is ${env.ADMIN_PASSWORD ? 'the demo password' : 'missing'}: strangers may reach this server (${exposed.join(', ')}),` +
      ' and everyone can read the demo password (DEMO_MODE=on says that this is meant)',
  );
}

/** With a password that everyone knows, the first authenticator would lock out all others. */
function checkSecondFactor(env: Variables, addFault: AddFault): void {
  const { ADMIN_PASSWORD: password = DEMO_PASSWORD, STAFF_SECOND_FACTOR } = env;
  if (STAFF_SECOND_FACTOR === 'required' && password === DEMO_PASSWORD)
    addFault(
      'STAFF_SECOND_FACTOR',
      'must not be required with the demo password: no authenticator can be set up with it',
    );
}

/** Only PAYMENTS=test allows the test gateway on a public site. */
function checkPayments(env: Variables, addFault: AddFault): void {
  const isPublic = env.PUBLIC_URL?.protocol === 'https:';
  const withStripe = env.STRIPE_SECRET_KEY !== undefined;
  if (env.PAYMENTS === 'test' && withStripe)
    addFault('PAYMENTS', 'must not be test while the keys of Stripe are set');
  if (isPublic && env.PAYMENTS === undefined && !withStripe)
    addFault(
      'PAYMENTS',
      'is missing: without the keys of Stripe plans would be sold that nobody pays for' +
        ' (PAYMENTS=test says that this is meant)',
    );
}

function checkTeams({ TEAMS_WEBHOOK_URL, TEAMS_PACE_MS: pace }: Variables, addFault: AddFault) {
  if (!TEAMS_WEBHOOK_URL) return;
  const { hostname } = TEAMS_WEBHOOK_URL;
  if (/(^|\.)webhook\.office(365)?\.com$|^outlook\.office(365)?\.com$/.test(hostname))
    addFault(
      'TEAMS_WEBHOOK_URL',
      'is the address of an Office 365 connector; Microsoft switched those off in May 2026. ' +
        "Make a Workflows webhook ('Send webhook alerts to a channel') in Teams and use its address",
    );
  if (pace < TEAMS_PACE_MS && !isLoopback(hostname))
    addFault(
      'TEAMS_PACE_MS',
      `must be at least ${TEAMS_PACE_MS}: Teams refuses more than a card a second`,
    );
}

function checkMail(env: Variables, addFault: AddFault): void {
  const usesGraph = GRAPH_KEYS.some((name) => env[name] !== undefined);
  const needed = usesGraph ? GRAPH_KEYS : ['SMTP_URL'];
  checkTogether(env, [...needed, 'MAIL_FROM', 'MAIL_TO'], addFault);
  if (env.GRAPH_MAILBOX && !usesGraph)
    addFault('GRAPH_MAILBOX', 'must not be set without GRAPH_CLIENT_ID');
  if (env.GRAPH_REPLIES === 'on' && !usesGraph)
    addFault('GRAPH_REPLIES', 'must not be on without GRAPH_CLIENT_ID: replies are read by Graph');
  if (!env.SMTP_URL) return;
  if (usesGraph)
    addFault('SMTP_URL', 'must not be set together with GRAPH_CLIENT_ID: mail leaves by one');
  const { protocol, port, hostname, pathname, search, hash, username, password } = env.SMTP_URL;
  if (protocol === 'smtp:' && port === '465')
    addFault('SMTP_URL', 'must begin with smtps:// on port 465, which speaks TLS from the start');
  if (protocol === 'smtps:' && port === '587')
    addFault('SMTP_URL', 'must begin with smtp:// on port 587, where TLS begins by STARTTLS');
  if (hostname === '' || pathname.length > 1 || search !== '' || hash !== '')
    addFault(
      'SMTP_URL',
      'must name a server and nothing after it, such as smtps://user:password@mail.example.com:465',
    );
  if ((username === '') !== (password === ''))
    addFault('SMTP_URL', 'must hold a user name and a password, or neither');
}

function mailSettings(env: Variables) {
  const from = readMailbox(env.MAIL_FROM ?? '');
  const to = readMailbox(env.MAIL_TO ?? '');
  const transport = env.SMTP_URL ? { smtpUrl: env.SMTP_URL.href } : graphSettings(env);
  return transport && from && to ? { transport, from, to } : null;
}

/** A mailbox as in RFC 5322, without comments, groups and lists, which differ by program. */
const NAMED_MAILBOX = /^(?:"([^"\\\p{C}]*)" *|([^"\\<>()[\],:;@\p{C}]*))<([^<>]*)>$/u;
const MAIL_ADDRESS =
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)*$/u;

/** The name may be empty. */
function readMailbox(value: string): { name: string; address: string } | undefined {
  const [, quoted, words = '', address = value] = NAMED_MAILBOX.exec(value) ?? [];
  return MAIL_ADDRESS.test(address) ? { name: quoted ?? words.trim(), address } : undefined;
}

/** PostgreSQL's addresses leave the host out when a parameter names the socket; URL needs one. */
export function withHost(address: string): string {
  return address.replace(/^(\w+:\/\/[^/?#]*@)(?=\/)/, '$1localhost');
}
