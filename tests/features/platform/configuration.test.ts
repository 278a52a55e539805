/** The operator sees all that is wrong with the configuration at once, and no secret. */
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readEnv, VARIABLE_NAMES } from '../../../src/env.server.ts';
import { CannotStart } from '../../../src/platform/config/cannot-start.server.ts';
import { headerSets } from '../../../src/platform/http/headers.server.ts';
import { STAFF_PATHS } from '../../../src/routes.ts';
import { runProcess, SERVER, startProcess } from '../../support/server-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ownTestApp, testDatabase } from '../../support/test-app.ts';

function faultsOf(variables: Record<string, string>): string[] {
  try {
    readEnv(variables);
    return [];
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return error.message.split('\n').slice(1);
  }
}

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_hush',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_open',
  STRIPE_WEBHOOK_SECRET: 'whsec_hush',
};
/** The least that a public server needs, besides its address. */
const PUBLIC = { ADMIN_PASSWORD: 'twelve chars', PAYMENTS: 'test' };
const MAIL = {
  SMTP_URL: 'smtps://user:hush@mail.example.com',
  MAIL_FROM: 'Tidewell <hello@example.com>',
  MAIL_TO: 'desk@example.com',
};

const GRAPH = {
  GRAPH_TENANT_ID: 'example.onmicrosoft.com',
  GRAPH_CLIENT_ID: '66666666-7777-8888-9999-000000000000',
  GRAPH_CLIENT_SECRET: 'hush',
  MAIL_FROM: 'Tidewell <hello@example.com>',
  MAIL_TO: 'desk@example.com',
};

const OIDC = {
  PUBLIC_URL: 'https://www.example.com',
  OIDC_ISSUER: 'https://login.microsoftonline.com/0aa1/v2.0',
  OIDC_CLIENT_ID: 'site',
  OIDC_CLIENT_SECRET: 'hush',
  OIDC_ALLOWED: 'roles=website-staff',
};

const WEBHOOK_SECRET = `whsec_${'A'.repeat(32)}`;
const HOOK = 'https://prod-1.westus.logic.azure.com/workflows/1?sig=hush';

describe('an invalid configuration', () => {
  test.each<[string, Record<string, string>]>([
    ['PORT', { PORT: '70000' }],
    ['HOST', { ...PUBLIC, HOST: 'http://127.0.0.1' }],
    ['HOST', { ...PUBLIC, HOST: '127.0.0.1:80' }],
    ['PUBLIC_URL', { ...PUBLIC, PUBLIC_URL: 'https://www.example.com/shop' }],
    ['PUBLIC_URL', { ...PUBLIC, PUBLIC_URL: 'http://www.example.com' }],
    ['PUBLIC_URL', { ...PUBLIC, PUBLIC_URL: 'https://*.example.com' }],
    ['PUBLIC_URL', { ...PUBLIC, PUBLIC_URL: 'https://www.example.com.' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://user:hush@host/db' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://user:hush%zz@host/db' }],
    ['DATABASE_URL', { DATABASE_URL: 'host=/run/postgresql dbname=hush' }],
    ['HSTS', { HSTS: 'on' }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: '"hush hush hush"' }],
    ['STAFF_SECOND_FACTOR', { STAFF_SECOND_FACTOR: 'on' }],
    ['STAFF_SECOND_FACTOR', { STAFF_SECOND_FACTOR: 'required' }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'hush' }],
    ['ADMIN_PASSWORD', { HOST: '0.0.0.0' }],
    ['ADMIN_PASSWORD', { PUBLIC_URL: 'https://www.example.com', PAYMENTS: 'test' }],
    ['ADMIN_PASSWORD', { TRUST_PROXY: '1' }],
    ['ADMIN_PASSWORD', { TRUST_PROXY: '1', ADMIN_PASSWORD: 'showroom-demo' }],
    ['PAYMENTS', { ...PUBLIC, PAYMENTS: '', PUBLIC_URL: 'https://www.example.com' }],
    ['PAYMENTS', { ...PUBLIC, ...STRIPE, PUBLIC_URL: 'https://www.example.com' }],
    ['DEMO_MODE', { DEMO_MODE: 'yes' }],
    ['OIDC_ALLOWED', { ...PUBLIC, ...OIDC, OIDC_ALLOWED: '' }],
    ['OIDC_ALLOWED', { ...PUBLIC, ...OIDC, OIDC_ALLOWED: '*' }],
    ['OIDC_ALLOWED', { ...PUBLIC, ...OIDC, OIDC_ALLOWED: 'roles=a,hd=' }],
    ['OIDC_ALLOWED', { ...PUBLIC, ...OIDC, OIDC_ALLOWED: 'aud=site' }],
    ['OIDC_ALLOWED', { ...PUBLIC, ...OIDC, OIDC_ALLOWED: 'tid=0aa1' }],
    ['OIDC_ALLOWED', { ...PUBLIC, ...OIDC, OIDC_ALLOWED: 'preferred_username=dana' }],
    ['OIDC_ALLOWED', { ...PUBLIC, ...OIDC, OIDC_ALLOWED: 'roles="a' }],
    ['OIDC_ALLOWED', { ...PUBLIC, ...OIDC, OIDC_ALLOWED: 'groups=CN=Staff,DC=example' }],
    ['OIDC_CLIENT_SECRET', { ...PUBLIC, ...OIDC, OIDC_CLIENT_SECRET: '' }],
    ['OIDC_ISSUER', { ...PUBLIC, ...OIDC, OIDC_ISSUER: 'http://login.example.com' }],
    ['OIDC_ISSUER', { ...PUBLIC, ...OIDC, OIDC_ISSUER: 'https://login.example.com/?hush' }],
    ['OIDC_ISSUER', { ...PUBLIC, ...OIDC, OIDC_ISSUER: 'https://u:hush@login.example.com' }],
    [
      'OIDC_ISSUER',
      { ...PUBLIC, ...OIDC, OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
    ],
    ['PUBLIC_URL', { ...OIDC, PUBLIC_URL: '' }],
    ['STAFF_PASSWORD', { STAFF_PASSWORD: 'off' }],
    ['STAFF_PASSWORD', { ...PUBLIC, ...OIDC, STAFF_PASSWORD: 'no' }],
    ['STRIPE_SECRET_KEY', { ...STRIPE, STRIPE_SECRET_KEY: 'hush' }],
    ['STRIPE_PUBLISHABLE_KEY', { ...STRIPE, STRIPE_PUBLISHABLE_KEY: 'sk_test_hush' }],
    ['STRIPE_WEBHOOK_SECRET', { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'hush' }],
    ['STRIPE_SECRET_KEY', { ...STRIPE, STRIPE_SECRET_KEY: 'sk_test_…' }],
    ['STRIPE_PUBLISHABLE_KEY', { ...STRIPE, STRIPE_PUBLISHABLE_KEY: 'pk_live_open' }],
    ['STRIPE_API_URL', { ...STRIPE, STRIPE_API_URL: 'http://stripe.example.com' }],
    ['STRIPE_API_URL', { ...STRIPE, STRIPE_API_URL: 'https://u:hush@stripe.example.com' }],
    ['TEAMS_WEBHOOK_URL', { TEAMS_WEBHOOK_URL: 'http://example.com/?sig=hush' }],
    ['TEAMS_WEBHOOK_URL', { TEAMS_WEBHOOK_URL: 'https://a.webhook.office.com/hush' }],
    ['TEAMS_WEBHOOK_URL', { TEAMS_WEBHOOK_URL: 'https://me:hush@example.com/' }],
    ['WEBHOOK_SECRET', { WEBHOOK_URL: 'https://x.example/hush' }],
    ['WEBHOOK_URL', { WEBHOOK_SECRET }],
    ['WEBHOOK_URL', { WEBHOOK_URL: 'http://x.example/hush', WEBHOOK_SECRET }],
    ['WEBHOOK_URL', { WEBHOOK_URL: 'https://u:hush@x.example/', WEBHOOK_SECRET }],
    ['WEBHOOK_SECRET', { WEBHOOK_URL: 'https://x.example/', WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }],
    ['TEAMS_PACE_MS', { TEAMS_WEBHOOK_URL: HOOK, TEAMS_PACE_MS: '100' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://me@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://me:hush%@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'https://user:hush@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtp://user:hush@mail.example.com:465' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://user:hush@mail.example.com:587' }],
    ['MAIL_FROM', { ...MAIL, MAIL_FROM: 'Tidewell' }],
    ['MAIL_FROM', { ...MAIL, MAIL_FROM: 'Tidewell, Inc. <desk@example.com>' }],
    ['MAIL_TO', { ...MAIL, MAIL_TO: 'desk@example.com, evil@example.com' }],
    ['MAIL_TO', { ...MAIL, MAIL_TO: 'desk@example.com\nBcc: x@example.com' }],
    ['SMTP_URL', { ...GRAPH, SMTP_URL: MAIL.SMTP_URL }],
    ['MAIL_TO', { ...GRAPH, MAIL_TO: '' }],
    ['GRAPH_REPLIES', { ...MAIL, GRAPH_REPLIES: 'on' }],
    ['GRAPH_CLIENT_SECRET', { ...GRAPH, GRAPH_CLIENT_SECRET: '' }],
    ['GRAPH_CLIENT_SECRET', { ...GRAPH, GRAPH_CLIENT_SECRET: GRAPH.GRAPH_CLIENT_ID }],
    ['GRAPH_CLIENT_ID', { ...GRAPH, GRAPH_CLIENT_ID: 'hush' }],
    ['GRAPH_TENANT_ID', { ...GRAPH, GRAPH_TENANT_ID: 'common' }],
    ['GRAPH_TENANT_ID', { ...GRAPH, GRAPH_TENANT_ID: 'example.com/hush' }],
    ['GRAPH_MAILBOX', { ...GRAPH, GRAPH_MAILBOX: 'website' }],
    ['GRAPH_MAILBOX', { ...MAIL, GRAPH_MAILBOX: 'website@example.com' }],
    ['GRAPH_API_URL', { ...GRAPH, GRAPH_API_URL: 'http://graph.example.com' }],
    ['GRAPH_API_URL', { ...GRAPH, GRAPH_API_URL: 'https://u:hush@graph.example.com' }],
    ['GRAPH_LOGIN_URL', { ...GRAPH, GRAPH_LOGIN_URL: 'http://login.example.com' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['LOG_RETENTION_HOURS', { LOG_RETENTION_HOURS: '23' }],
    ['BACKUP_KEEP', { BACKUP_KEEP: '0' }],
    ['DATA_DIR', { DATA_DIR: '~/data' }],
    ['CONTENT_DIR', { CONTENT_DIR: '~site/content' }],
    ['BACKUP_DIR', { BACKUP_DIR: '~' }],
    ['ADMIN_PASSWROD', { ADMIN_PASSWROD: 'hush hush hush' }],
    ['STRIPE_SECRETKEY', { STRIPE_SECRETKEY: 'sk_test_hush' }],
    ['ADMIN_PASS', { ADMIN_PASS: 'hush hush hush' }],
    ['admin_password', { admin_password: 'hush hush hush' }],
    ['TEAMS_WEBHOOK', { TEAMS_WEBHOOK: HOOK }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'hush hush hush\nhush hush hush' }],
    ['ADMIN_PASSWORD_FILE', { ADMIN_PASSWORD_FILE: '/nowhere' }],
    ['ADMIN_PASSWORD_FILE', { ADMIN_PASSWORD_FILE: '/dev/null' }],
    ['ADMIN_PASSWORD_FILE', { ADMIN_PASSWORD_FILE: 'package.json' }],
    ['ADMIN_PASSWORD_FILE', { ADMIN_PASSWORD_FILE: '/dev/null', ADMIN_PASSWORD: 'hush hush hush' }],
    ['SMTP_ADDRESS', { SMTP_ADDRESS: 'mail.example.com', SMTP_PORT: 'hush' }],
    ['SMTP_ADDRESS', { SMTP_ADDRESS: 'mail.example.com', SMTP_PORT: '70000' }],
    ['SMTP_ADDRESS', { SMTP_ADDRESS: 'mail example' }],
    ['MAIL_FROM', { SMTP_ADDRESS: 'mail.example.com', SMTP_PASSWORD: 'hush', SMTP_USERNAME: 'me' }],
  ])('names %s: %j', (name, variables) => {
    const faults = faultsOf(variables);
    expect(faults).toEqual([expect.stringContaining(`- ${name} `)]);
    expect(faults.join()).not.toContain('hush');
  });

  test('stops the start, which prints all faults at once', async () => {
    const { code, output } = await runProcess(SERVER, {
      PORT: 'many',
      PUBLIC_URL: 'somewhere',
      ADMIN_PASSWORD: 'hush',
      STRIPE_SECRET_KEY: 'sk_test_hush',
      SMTP_URL: MAIL.SMTP_URL,
      TRUST_PROXY: '-1',
    });
    expect(code).toBe(78);
    const [first, ...faults] = output.trimEnd().split('\n');
    expect(first).toBe('The configuration is not valid:');
    expect(faults.map((fault) => fault.split(' ')[3]).sort()).toEqual([
      'ADMIN_PASSWORD',
      'MAIL_FROM',
      'MAIL_TO',
      'PORT',
      'PUBLIC_URL',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'TRUST_PROXY',
    ]);
    expect(output).not.toContain('hush');
  });
});

describe('a valid configuration', () => {
  test('may be empty: a demo on loopback', () => {
    expect(readEnv({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: null,
      dataDir: './data',
      databaseUrl: null,
      admin: { username: 'admin', password: 'showroom-demo', demo: true },
      stripe: null,
      teams: null,
      mail: null,
      trustProxy: 0,
      logRetentionHours: 48,
      logMaxMb: 1024,
      keepMessagesDays: 730,
    });
  });

  test('has a user name and password that the sign-in form accepts', () => {
    expect(readEnv({ ADMIN_USERNAME: 'Rene\u0301' }).admin.username).toBe('Ren\u00e9');
    expect(() => readEnv({ ADMIN_USERNAME: 'x'.repeat(101) })).toThrow(/ADMIN_USERNAME .*100/);
    expect(() => readEnv({ ADMIN_PASSWORD: 'x'.repeat(1001) })).toThrow(/ADMIN_PASSWORD .*1000/);
  });

  test('reads values with commas, equal signs and quotes of those who may sign in', () => {
    const OIDC_ALLOWED = 'groups="CN=Staff, ""A"",DC=example" , https://example.com/roles=a b';
    expect(
      readEnv({ ...OIDC, PAYMENTS: 'test', STAFF_PASSWORD: 'off', OIDC_ALLOWED }).oidc?.allowed,
    ).toEqual([
      { claim: 'groups', value: 'CN=Staff, "A",DC=example' },
      { claim: 'https://example.com/roles', value: 'a b' },
    ]);
  });

  test('needs no password where staff have work accounts alone', () => {
    const { admin, oidc } = readEnv({ ...OIDC, PAYMENTS: 'test', STAFF_PASSWORD: 'off' });
    expect([admin.demo, oidc?.redirectUri]).toEqual([
      false,
      'https://www.example.com/api/admin/oidc/callback',
    ]);
  });

  test.each([
    ['sk_test_hush', 'pk_test_open', false],
    ['sk_live_hush', 'pk_live_open', true],
    ['rk_live_hush', 'pk_live_open', true],
  ])('with the keys %s and %s charges real cards: %s', (secretKey, publishableKey, live) => {
    const keys = { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey };
    expect(readEnv({ ...STRIPE, ...keys }).stripe).toMatchObject({ publishableKey, live });
  });

  test.each([
    ['', 'http://localhost:3000', undefined],
    ['', 'https://www.example.com', 'max-age=63072000'],
    ['trial', 'https://www.example.com', 'max-age=86400'],
    ['subdomains', 'https://example.com', 'max-age=63072000; includeSubDomains'],
    ['preload', 'https://example.com', 'max-age=63072000; includeSubDomains; preload'],
  ])('keeps browsers on https with HSTS=%s at %s: %s', (HSTS, PUBLIC_URL, header) => {
    const { hsts } = readEnv({ ...PUBLIC, PUBLIC_URL, HSTS });
    const payment = { sources: {}, frames: null };
    const { site } = headerSets({ hsts, payment, pictureOrigins: [] });
    expect(site['Strict-Transport-Security']).toBe(header);
  });

  test('names a database by its socket, as PostgreSQL writes it', () => {
    const socket = '/site?host=/run/postgresql';
    for (const [written, read] of [
      [`postgres://site@${socket}`, `postgres://site@localhost${socket}`],
      [`postgres://site:p%40ss@${socket}`, `postgres://site:p%40ss@localhost${socket}`],
      [`postgres://${socket}`, `postgres://${socket}`],
    ])
      expect(readEnv({ DATABASE_URL: written }).databaseUrl).toBe(read);
  });

  test('explains an address with an unescaped password without repeating it', () => {
    for (const password of ['hush#1', 'hush/1', 'hush?1'])
      expect(faultsOf({ DATABASE_URL: `postgres://site:${password}@host/site` })).toEqual([
        '  - DATABASE_URL is not a valid address (in a password, / is written as %2F, # as %23 and ? as %3F)',
      ]);
  });

  test('configures Teams and mail', () => {
    const { teams, mail } = readEnv({ ...MAIL, TEAMS_WEBHOOK_URL: HOOK });
    expect(teams).toEqual({ webhookUrl: HOOK, payload: 'envelope', paceMs: 1000 });
    const from = { name: 'Tidewell', address: 'hello@example.com' };
    const to = { name: '', address: 'desk@example.com' };
    expect(mail).toEqual({ transport: { smtpUrl: MAIL.SMTP_URL }, from, to });
    expect(readEnv(GRAPH).mail?.transport).toEqual({
      tenantId: GRAPH.GRAPH_TENANT_ID,
      clientId: GRAPH.GRAPH_CLIENT_ID,
      clientSecret: 'hush',
      mailbox: null,
      replies: false,
      loginUrl: 'https://login.microsoftonline.com',
      apiUrl: 'https://graph.microsoft.com',
    });
    const quoted = { ...MAIL, MAIL_FROM: '"Tidewell, Inc." <hello@example.com>' };
    expect(readEnv(quoted).mail?.from).toEqual({ ...from, name: 'Tidewell, Inc.' });
  });

  test('has its secrets in files, where Docker and systemd keep them', () => {
    const file = join(temporaryFolder(), 'password');
    writeFileSync(file, 'kept in a file\n');
    expect(readEnv({ ADMIN_PASSWORD_FILE: file }).admin.password).toBe('kept in a file');
  });

  test('mails through the server that ONCE hands over, to the company', () => {
    const once = {
      SMTP_ADDRESS: 'mail.example.com',
      SMTP_PORT: '465',
      SMTP_USERNAME: 'me@example.com',
      SMTP_PASSWORD: 'a/b%41',
      MAILER_FROM_ADDRESS: 'hello@example.com',
    };
    expect(readEnv(once).mail).toEqual({
      transport: { smtpUrl: 'smtps://me%40example.com:a%2Fb%2541@mail.example.com:465' },
      from: { name: '', address: 'hello@example.com' },
      to: { name: '', address: 'hello@tidewell.example' },
    });
  });

  test('may stand beside the variables of other programs, such as SMTP_HOST', () => {
    expect(faultsOf({ SMTP_HOST: 'mail.example.com' })).toEqual([]);
  });

  test('is told to systemd as rarely as its unit says', () => {
    // WatchdogSec=1h
    const unit = { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '3600000000' };
    expect(readEnv(unit).systemd).toEqual({ watchdogMs: 3_600_000 });
  });

  test('may have empty variables', () => {
    expect(readEnv({ PORT: '', PUBLIC_URL: ' ', STRIPE_SECRET_KEY: '' })).toEqual(readEnv({}));
  });

  test.each<Record<string, string>>([
    { PUBLIC_URL: 'http://localhost:3000' },
    { TRUST_PROXY: '1', DEMO_MODE: 'on' },
    { PUBLIC_URL: 'http://192.0.2.7:3000', DEMO_MODE: 'on' },
    { PUBLIC_URL: 'https://www.example.com', DEMO_MODE: 'on', PAYMENTS: 'test' },
    { HOST: '0.0.0.0', TRUST_PROXY: '1', ADMIN_PASSWORD: 'twelve chars' },
    { ...PUBLIC, PUBLIC_URL: 'https://www.example.com' },
    { ...STRIPE, ADMIN_PASSWORD: 'twelve chars', PUBLIC_URL: 'https://www.example.com' },
  ])(
    'may expose the demo or the test gateway when DEMO_MODE or PAYMENTS says so: %j',
    (variables) => {
      expect(faultsOf(variables)).toEqual([]);
    },
  );

  test('that exposes the demo password is refused, naming every setting that exposes it', () => {
    const variables = { HOST: '::', TRUST_PROXY: '1', PUBLIC_URL: 'https://www.example.com' };
    expect(faultsOf({ ...variables, PAYMENTS: 'test' })).toEqual([
      expect.stringContaining('(HOST is ::, PUBLIC_URL names www.example.com, TRUST_PROXY is set)'),
    ]);
  });

  test('has exactly the variables explained in .env.example', async () => {
    expect(new Set(await explainedNames())).toEqual(new Set(VARIABLE_NAMES));
  });

  test.each(['site', 'instance'])('reaches the container %s through .env', async (name) => {
    const { services } = COMPOSED.parse(load(await readFile('compose.yaml', 'utf8')));
    expect(services[name]?.env_file).toContainEqual({ path: '.env', required: false });
  });
});

const COMPOSED = z.object({
  services: z.record(z.string(), z.looseObject({ env_file: z.optional(z.unknown()) })),
});

async function explainedNames(): Promise<string[]> {
  const example = await readFile('.env.example', 'utf8');
  return [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name);
}

describe('PAYMENTS=test', () => {
  test('is announced at each start and on every staff page: no money moves', async () => {
    const ground = await testDatabase();
    const variables = { ...PUBLIC, ...ground.variables, PORT: '0' };
    const site = await startProcess(SERVER, {
      ...variables,
      PUBLIC_URL: 'https://www.example.com',
    });
    const said = site.output();
    const pages = STAFF_PATHS.map(async (path) => (await fetch(site.address + path)).text());
    const silent = (await Promise.all(pages)).filter((page) => !page.includes('no money moves'));
    await site.stop();
    await ground.drop();
    expect(said).toContain('no money moves');
    expect(said.trimEnd().split('\n').at(-1)).toBe(`Ready on ${site.address}`);
    expect(silent).toEqual([]);
  });

  test('is not announced in the demo on loopback', async () => {
    const app = await ownTestApp();
    const { text } = await app.visitor().get('/admin');
    expect(text).not.toContain('no money moves');
  });
});
