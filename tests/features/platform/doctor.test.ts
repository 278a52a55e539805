/** `npm run doctor` tells the operator what is wrong and how to fix it. */
import { once } from 'node:events';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { sql } from 'kysely';
import Stripe from 'stripe';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { checkDatabase } from '../../../scripts/doctor/database.ts';
import { checkContent, checkDisk, checkPermissions } from '../../../scripts/doctor/machine.ts';
import { checkLinks, checkRedirects } from '../../../scripts/doctor/public-url.ts';
import { type Check, Report, request } from '../../../scripts/doctor/report.ts';
import { CHANNEL_CHECKS, checkDomain, checkPayments } from '../../../scripts/doctor/services.ts';
import { checkAllowed, checkSignIn } from '../../../scripts/doctor/sign-in.ts';
import { checkUpkeep } from '../../../scripts/doctor/upkeep.ts';
import { readContent } from '../../../src/content.server.ts';
import { readEnv } from '../../../src/env.server.ts';
import { FOLLOWED } from '../../../src/payments/stripe/stripe-events.server.ts';
import { openDatabase } from '../../../src/platform/database/database.server.ts';
import { anotherCompany } from '../../support/another-company.ts';
import { CERTIFICATE_DAYS, makeCertificate } from '../../support/certificate.ts';
import { FakeGraph, GRAPH_SECRET } from '../../support/fake-graph.ts';
import { FakeTeams, SECRET } from '../../support/fake-teams.ts';
import { FakeWebhook } from '../../support/fake-webhook.ts';
import { freePort } from '../../support/free-port.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { ownSiteWithProvider, signInAtWork, TestProvider } from '../../support/openid-provider.ts';
import { type RunningProcess, runProcess, startServer } from '../../support/server-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  OWN_PASSWORD,
  ownTestApp,
  type TestDatabase,
  testDatabase,
} from '../../support/test-app.ts';

type Variables = Record<string, string>;

const DAY_MS = 24 * 60 * 60_000;
const CLOCK = join(import.meta.dirname, '../../support/die-at.ts');

async function doctor(variables: Variables, ...args: string[]) {
  const { code, output } = await runProcess('dist/server/doctor.cjs', variables, [
    '--json',
    ...args,
  ]);
  const findings: Report['findings'] = JSON.parse(output);
  const said = findings.map(({ level, check, text }) => `${level} ${check}: ${text}`);
  return { code, findings, said };
}

describe('the doctor, behind a proxy with everything configured,', () => {
  let forwardedFor: (claimed: string) => string;
  let added: Variables;
  let ground: TestDatabase;
  let server: RunningProcess;
  let variables: Variables;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ground = await testDatabase();
    const [port, proxyPort, teams, mailbox] = await Promise.all([
      freePort(),
      freePort(),
      FakeTeams.start(),
      Mailbox.start(),
    ]);
    const publicUrl = `https://localhost:${proxyPort}`;
    const stripe = await startAccount([{ url: `${publicUrl}/api/stripe/webhook` }]);
    const { file, ...certificate } = makeCertificate();
    const proxy = https.createServer(
      certificate,
      ({ method = '', url = '', headers }, outgoing) => {
        const claimed = String(headers['x-forwarded-for'] ?? '');
        const sent = { ...headers, 'x-forwarded-for': forwardedFor(claimed) };
        http
          .request({ port, method, path: url, headers: sent }, (answer) => {
            outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...added });
            answer.pipe(outgoing);
          })
          .on('error', () => outgoing.writeHead(502).end())
          .end();
      },
    );
    await once(proxy.listen(proxyPort, '127.0.0.1'), 'listening');
    variables = {
      ...ground.variables,
      ...OWN_PASSWORD,
      ...stripe.variables,
      ...teams.variables,
      ...mailbox.variables,
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: '1',
      DEMO_MODE: 'off',
      NODE_EXTRA_CA_CERTS: file,
    };
    server = await startServer(variables);
    close = () => {
      proxy.closeAllConnections();
      proxy.close();
      return Promise.all([teams.stop(), mailbox.stop(), stripe.stop()]);
    };
  });
  beforeEach(() => {
    forwardedFor = (claimed) => `${claimed}, 198.51.100.7`;
    added = {};
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await close();
    await ground.drop();
  });

  test('lists everything that is in order, and warns of content that is still the example’s', async () => {
    const { said, findings, code } = await doctor(variables);
    // This domain has no DNS records.
    const domain = said.filter((line) => line.includes('tidewell.example'));
    // What needs upkeep depends on the day.
    const dated = /^ok|^warning upkeep/;
    expect(said.filter((line) => !dated.test(line) && !domain.includes(line))).toEqual([
      expect.stringMatching(
        /^warning content: .*company\.json \(Tidewell.*trust\.json \(EXAMPLE\)/,
      ),
      expect.stringMatching(/^warning payments: test keys/),
    ]);
    for (const line of [
      /^ok configuration: every variable is valid$/,
      /^ok clock: \d s from the clock of 127\.0\.0\.1$/,
      /^ok disk: /,
      inject('engine') === 'sqlite' ? /^ok database: SQLite \d/ : /^ok database: PostgreSQL \d/,
      /^ok address: the certificate ends on 20\d\d-/,
      /^ok address: https:\/\/localhost:\d+\/readyz answers$/,
      /^ok address: its headers arrive as the server sends them$/,
      /^ok address: this command is seen as 198\.51\.100\.7$/,
      /^ok payments: the webhook endpoint sends every event that the site needs$/,
      /^ok teams: 127\.0\.0\.1 is reached/,
      /^ok mail: the mail server lets us in$/,
      /^ok sign-in: customers read '.+' on answers of admin; the account page sets a name$/,
    ])
      expect(said).toContainEqual(expect.stringMatching(line));
    expect(findings.filter(({ level, cure }) => level !== 'ok' && !cure)).toEqual([]);
    expect([code, domain]).toEqual([1, expect.arrayContaining([expect.stringMatching(/SPF/)])]);
  });

  test('reports a proxy that passes on forged addresses or adds headers', async () => {
    forwardedFor = (claimed) => claimed;
    added = { 'x-frame-options': 'SAMEORIGIN' };
    const { said } = await doctor(variables);
    expect(said.filter((line) => line.startsWith('error address'))).toEqual([
      'error address: these headers do not arrive as the server sends them: X-Frame-Options',
      'error address: a visitor can choose the address that counts for limits, by a header',
    ]);
  });

  test.each([
    [CERTIFICATE_DAYS - 10, /^warning address: the certificate ends on .*, in 9 days$/],
    [CERTIFICATE_DAYS - 5, /^error address: the certificate ends on .*, in 4 days$/],
    [CERTIFICATE_DAYS + 5, /^error address: the certificate ends on .*: it has expired$/],
  ])('reports a clock %s days ahead, and the certificate that ends by then', async (days, line) => {
    const ahead = { CLOCK_AHEAD_MS: String(days * DAY_MS), NODE_OPTIONS: `--import=${CLOCK}` };
    const { said } = await doctor({ ...variables, ...ahead });
    expect(said).toContainEqual(expect.stringMatching(/^error clock: \d{6,} s from the clock of/));
    expect(said).toContainEqual(expect.stringMatching(line));
  });

  test('reports a server that does not run', async () => {
    await server.stop();
    const { said, code } = await doctor(variables);
    expect(said).toContainEqual(expect.stringMatching(/^error address: .*\/readyz answers 502$/));
    expect(code).toBe(1);
  });
});

/** Stripe's answers about an account and its webhook endpoints. */
async function startAccount(endpoints: readonly object[]) {
  const right = { api_version: Stripe.API_VERSION, enabled_events: ['*'], status: 'enabled' };
  const key = 'sk_test_doctor';
  const answers: Record<string, object> = {
    '/v1/account': {
      id: 'acct_doctor',
      charges_enabled: true,
      country: 'US',
      default_currency: 'usd',
    },
    '/v1/tokens': { id: 'tok_doctor' },
    '/v1/tokens/tok_doctor': { id: 'tok_doctor' },
    '/v1/webhook_endpoints': { data: endpoints.map((each) => ({ ...right, ...each })) },
    '/v1/events': { data: [], has_more: false },
  };
  const api = http.createServer(({ url = '', headers }, response) => {
    const [path = ''] = url.split('?');
    const asked = path === '/v1/tokens' ? 'pk_test_doctor' : key;
    const known = headers.authorization === `Bearer ${asked}`;
    response
      .writeHead(known ? 200 : 401, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(known ? answers[path] : { error: { type: 'invalid_request_error' } }));
  });
  const port = await freePort();
  await once(api.listen(port, '127.0.0.1'), 'listening');
  return {
    variables: {
      STRIPE_SECRET_KEY: key,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_doctor',
      STRIPE_WEBHOOK_SECRET: 'whsec_doctor',
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
    },
    async stop() {
      api.closeAllConnections();
      api.close();
    },
  };
}

test('the doctor reports an invalid configuration and checks nothing else', async () => {
  const { code, findings } = await doctor({ PORT: 'x', TRUST_PROXY: 'y' });
  expect([code, findings.length]).toEqual([1, 1]);
  expect(findings[0]).toMatchObject({
    check: 'configuration',
    level: 'error',
    text: expect.stringMatching(/PORT must be .*\n.*TRUST_PROXY must be/),
  });
});

describe('the doctor’s check', () => {
  const say = async (check: (report: Report) => unknown) => {
    const report = new Report();
    await check(report);
    return report.findings.map(({ level, text }) => `${level}: ${text}`);
  };
  const look = (check: Check, variables: Variables, content = readContent('content')) =>
    say((report) => check(report, { env: readEnv(variables), content, send: false }));

  const url = 'http://127.0.0.1:1/api/stripe/webhook';
  test.each([
    [[], /^error: no webhook endpoint leads to http/],
    [
      [{ url, enabled_events: FOLLOWED.slice(1) }],
      /^error: the webhook endpoint does not send payment_intent\.succeeded$/,
    ],
    [[{ url, api_version: '2020-08-27' }], /^warning: the webhook endpoint has version 2020-08-27/],
  ])('of Stripe with the endpoints %j', async (webhookEndpoints, line) => {
    const stripe = await startAccount(webhookEndpoints);
    const variables = { ...stripe.variables, PUBLIC_URL: 'http://127.0.0.1:1' };
    const right = await look(checkPayments, variables);
    const wrong = await look(checkPayments, { ...variables, STRIPE_SECRET_KEY: 'sk_test_other' });
    const other = await look(checkPayments, {
      ...variables,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_other',
    });
    await stripe.stop();
    expect(right).toContainEqual(expect.stringMatching(line));
    expect(other).toContainEqual(
      expect.stringMatching(/^error: STRIPE_PUBLISHABLE_KEY is not of this account/),
    );
    expect(wrong).toEqual(['error: Stripe does not know STRIPE_SECRET_KEY']);
  });

  test('says which redirect URI to register at the OpenID provider, or why it does not answer', async () => {
    const publicUrl = 'http://127.0.0.1:1';
    const provider = await TestProvider.start(publicUrl);
    const variables = { ...provider.variables, PUBLIC_URL: publicUrl };
    const callback = `${publicUrl}/api/admin/oidc/callback`;
    const answers = `${provider.origin}/ answers; register ${callback} there as a redirect URI`;
    expect(await look(checkSignIn, variables)).toEqual([`ok: ${answers}`]);
    const closed = await look(checkSignIn, { ...variables, STAFF_PASSWORD: 'off' });
    expect(closed[1]).toMatch(/^warning: the password sign-in is off/);
    await provider.stop();
    expect((await look(checkSignIn, variables))[0]).toMatch(
      /^error: .* does not answer as an OpenID provider: fetch failed: /,
    );
    expect(await look(checkSignIn, {})).toEqual([]);
  });

  test('names both issuers, and a secret or a way of sending it that the provider refuses', async () => {
    const PUBLIC_URL = 'http://127.0.0.1:1';
    const provider = await TestProvider.start(PUBLIC_URL);
    const { variables, origin: issuer } = provider;
    const old = { ...variables, PUBLIC_URL, OIDC_CLIENT_SECRET: 'old' };
    expect((await look(checkSignIn, old))[1]).toBe(
      'error: the provider refuses OIDC_CLIENT_ID with OIDC_CLIENT_SECRET',
    );
    provider.document = { token_endpoint_auth_methods_supported: ['private_key_jwt'] };
    expect((await look(checkSignIn, { ...variables, PUBLIC_URL }))[1]).toMatch(
      /^error: .* neither/,
    );
    provider.document = { issuer: `${issuer}/staff/` };
    expect(await look(checkSignIn, { ...variables, PUBLIC_URL })).toEqual([
      `error: the issuer is ${issuer}/ here, and "${issuer}/staff/" at the provider`,
    ]);
    await provider.stop();
  });

  test.each([
    ['https://login.microsoftonline.com/0aa1/v2.0', 'groups', /^warning: .*more than 200/],
    ['https://login.microsoftonline.us/0aa1/v2.0', 'email', /^warning: .*verified/],
    ['https://accounts.google.com', 'groups', /^warning: .*Google/],
  ])('of sign-in at %s warns of the claim %s', async (issuer, claim, warning) => {
    const oidc = { issuer: new URL(issuer), allowed: [{ claim, value: 'x' }] };
    const said = await say((report) => checkAllowed(report, oidc));
    expect(said).toEqual([expect.stringMatching(warning)]);
  });

  test('says who was refused at sign-in within a day, what was looked for and what came', async () => {
    const { variables, drop } = await testDatabase();
    onTestFinished(async () => void (await drop()));
    const { app, provider } = await ownSiteWithProvider(variables);
    provider.people.set('dana', { roles: ['guest'] });
    await expect.poll(() => signInAtWork(app.visitor())).toBe('not-allowed');
    const seen = { ...variables, ...provider.variables, PUBLIC_URL: app.address };
    expect((await look(checkSignIn, seen)).at(-1)).toMatch(
      /^warning: refused on .*: work account, not allowed: needs roles=website-staff .* came roles: \["guest"\]/,
    );
  });

  test('reports Teams and a mail server that cannot be reached', async () => {
    const port = await freePort();
    const teams = { TEAMS_WEBHOOK_URL: `http://127.0.0.1:${port}/x?sig=${SECRET}` };
    const mail = {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'a@b.invalid',
      MAIL_TO: 'a@b.invalid',
    };
    const unreached = ['error: 127.0.0.1 is not reached: ECONNREFUSED'];
    expect(await look(CHANNEL_CHECKS.teams, teams)).toEqual(unreached);
    expect((await look(CHANNEL_CHECKS.mail, mail))[0]).toMatch(
      /^error: the mail server does not let us in: .*ECONNREFUSED 127\.0\.0\.1:\d+/,
    );
  });

  test('reports a mail server that takes no password, where mail would leave without it', async () => {
    const mailbox = await Mailbox.start({ disabledCommands: ['STARTTLS', 'AUTH'] });
    const SMTP_URL = `smtp://me:right@127.0.0.1:${mailbox.port}`;
    const [said] = await look(CHANNEL_CHECKS.mail, { ...mailbox.variables, SMTP_URL });
    await mailbox.stop();
    expect(said).toMatch(/^error: the mail server .*takes no password here: .* smtps:\/\//);
  });

  test('of upkeep names the day of the last closure, and warns 60 days before it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-10-30T12:00:00Z') });
    expect(await look(checkUpkeep, {})).toContain('ok: the last closure is on 2027-12-31');
    vi.setSystemTime(Date.parse('2027-11-05T12:00:00Z'));
    expect(await look(checkUpkeep, {})).toContainEqual(
      expect.stringMatching(/^warning: the last closure is on 2027-12-31, so the site will say/),
    );
  });

  test('of upkeep lists articles and prices that nobody has looked at for a year', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-11-26T12:00:00Z') });
    const { articles, addOns, ...content } = readContent('content');
    const checked = articles.map((article, index) =>
      index === 0 ? { ...article, reviewed: '2026-11-25' } : article,
    );
    const [, ...others] = addOns.microsoft365;
    const [standard] = addOns.microsoft365.map((row) => ({ ...row, from: '2027-01-01' }));
    const microsoft365 = standard ? [...addOns.microsoft365, standard] : [];
    const said = await look(
      checkUpkeep,
      {},
      { ...content, articles: checked, addOns: { ...addOns, microsoft365 } },
    );
    expect(said).toContain('warning: articles that nobody has reviewed for a year: data-fencing');
    const labels = [...others, ...addOns.cloudBackup].map(({ label }) => label);
    expect(said).toContain(`warning: prices older than a year: ${labels.join(', ')}`);
    expect(said).toContain('warning: search engines cannot verify whose site this is');
  });

  test('says in words, and by no number, why an answer did not come', async () => {
    const asked = request('http://127.0.0.1:1/', { signal: AbortSignal.abort() });
    await expect(asked).rejects.toThrow('aborted');
  });

  test('follows each redirect from an address of the former site', async () => {
    const folder = anotherCompany();
    const { address } = await ownTestApp({}, folder);
    const { redirects } = readContent(folder);
    const follow = (all: typeof redirects) => say((report) => checkRedirects(report, address, all));
    expect(await follow(redirects)).toEqual(['ok: redirects that lead to their pages: 1']);
    expect(await follow({ ...redirects, '/old': '/news', '/news': '/' })).toEqual([
      'error: these addresses do not lead to the pages of content/redirects.json: /old, /news',
    ]);
  });

  test('names links of the content that lead nowhere, as to an article that was taken out, not to one to come', async () => {
    const folder = anotherCompany();
    const article = join(folder, 'news/barrel-sensors.md');
    const ahead = readFileSync(article, 'utf8').replace(/^(date|reviewed): .*/gm, '$1: 2999-01-01');
    writeFileSync(article, ahead);
    const { address } = await ownTestApp({}, folder);
    const page = '---\ntitle: Careers\nupdated: 2025-06-01\ndescription: Work with us.\n---\n';
    const links = 'See [news](/news#latest) and [more](/news/taken-out).';
    writeFileSync(join(folder, 'pages/careers.md'), page + links);
    const content = readContent(folder);
    expect(await say((report) => checkLinks(report, address, content))).toEqual([
      'warning: links in the content lead to nothing: /news/taken-out',
    ]);
  });

  test('is no visit to the pages that it looks at', async () => {
    const folder = anotherCompany();
    const app = await ownTestApp({}, folder);
    const { redirects, ...content } = readContent(folder);
    const look = async (report: Report) => {
      await checkRedirects(report, app.address, redirects);
      await checkLinks(report, app.address, { ...content, redirects });
    };
    expect(await say(look)).toEqual(['ok: redirects that lead to their pages: 1']);
    await app.visitor().get('/news');
    const staff = await app.staff();
    const visited = async () =>
      (await staff.get('/api/admin/logs/analytics')).json.analytics.mostVisitedPages;
    await expect.poll(visited).toEqual([{ url: '/news', count: 1 }]);
  });

  test.each<[string, Variables, Partial<FakeGraph>, RegExp]>([
    ['reads replies', { GRAPH_REPLIES: 'on' }, {}, /^ok: replies by mail are read$/],
    [
      'may not read',
      { GRAPH_REPLIES: 'on' },
      { mayRead: false },
      /^error: replies by mail are not read: .*Mail\.Read.*403, ErrorAccessDenied/,
    ],
    ['works', {}, {}, /^ok: Microsoft Graph lets us use the mailbox web@tidewell\.example$/],
    [
      'has a secret that has expired',
      {},
      { loginBehaviour: () => ({ status: 401, code: 7000222 }) },
      /^error: .*Make a new one in Entra and set GRAPH_CLIENT_SECRET\./,
    ],
    [
      'uses a mailbox by its user name',
      { GRAPH_MAILBOX: 'web@tidewell.onmicrosoft.example' },
      { user: 'web@tidewell.onmicrosoft.example' },
      /^ok: Microsoft Graph lets us use the mailbox web@tidewell\.onmicrosoft\.example$/,
    ],
  ])('of a mailbox at Graph whose app %s', async (_what, variables, behaviour, line) => {
    const graph = Object.assign(await FakeGraph.start(), behaviour);
    const said = await look(CHANNEL_CHECKS.mail, { ...graph.variables, ...variables });
    await graph.stop();
    expect(said).toContainEqual(expect.stringMatching(line));
    expect(said.join()).not.toMatch(/hush/);
    expect([graph.mails, graph.faults]).toEqual([[], []]);
  });

  test('reports a domain whose mail would be taken for spam', async () => {
    const records: Record<string, string> = {
      'good.test': 'v=spf1 include:mail.test -all',
      '_dmarc.good.test': 'v=DMARC1; p=reject',
    };
    const lookUp = async (name: string) => {
      const text = records[name];
      // The name exists, because there is a key below it.
      const code = name === '_domainkey.good.test' ? 'ENODATA' : 'ENOTFOUND';
      if (!text) throw Object.assign(new Error(code), { code });
      return [[text.slice(0, 5), text.slice(5)]];
    };
    const levels = async (domain: string) =>
      (await say((report) => checkDomain(report, domain, lookUp))).map(
        (line) => line.split(':')[0],
      );
    expect(await levels('good.test')).toEqual(['ok', 'ok', 'ok']);
    expect(await levels('bad.test')).toEqual(['error', 'error', 'warning']);
    // Receivers follow the policy of the domain above.
    expect(await levels('mail.good.test')).toEqual(['error', 'ok', 'warning']);
    const silent = () => Promise.reject(Object.assign(new Error('no'), { code: 'ETIMEOUT' }));
    expect(await say((report) => checkDomain(report, 'good.test', silent))).toEqual([
      'warning: the DNS does not say whether mail of good.test is genuine: ETIMEOUT',
    ]);
  });

  test('names pictures and pages of a company that are still the example’s', async () => {
    const CONTENT_DIR = anotherCompany();
    cpSync('content/pages', join(CONTENT_DIR, 'pages'), { recursive: true });
    const said = await look(checkContent, { CONTENT_DIR });
    expect(said).toContainEqual(
      expect.stringMatching(
        /^warning: pictures and pages are the example’s: pages\/privacy-policy\.md, .*pictures\//,
      ),
    );
  });

  test.runIf(inject('engine') === 'postgres')(
    'reports a database that takes no orders, such as a replica or one that is read-only',
    async () => {
      const ground = await testDatabase();
      const url = new URL(ground.variables.DATABASE_URL ?? '');
      url.searchParams.set('options', '-c default_transaction_read_only=on');
      expect(await look(checkDatabase, { DATABASE_URL: url.href })).toEqual([
        expect.stringMatching(/^error: DATABASE_URL leads to a .* takes no orders/),
      ]);
      await ground.drop();
    },
  );

  test('reports a data folder that no start could make', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const DATA_DIR of [file, join(file, 'data')])
      expect(await look(checkDisk, { DATA_DIR })).toEqual([
        expect.stringMatching(/^error: .*file(\/data)? cannot be used: ENOTDIR/),
      ]);
  });

  test('reports a database of another version, and a data folder that others can read', async () => {
    const ground = await testDatabase();
    onTestFinished(() => void ground.drop());
    const { db, close } = await openDatabase(readEnv(ground.variables));
    await sql`insert into kysely_migration values ('999-later', '2099-01-01')`.execute(db);
    await close();
    expect(await look(checkDatabase, ground.variables)).toEqual([
      expect.stringMatching(/^error: The database was made by another version/),
    ]);
    const { DATA_DIR } = ground.variables;
    if (DATA_DIR) {
      chmodSync(DATA_DIR, 0o755);
      expect(await look(checkPermissions, ground.variables)).toContain(
        `warning: ${DATA_DIR} can be read by other users of this machine`,
      );
    }
  });
});

describe('the doctor with --send', () => {
  let teams: FakeTeams;
  let mailbox: Mailbox;
  beforeEach(async () => {
    [teams, mailbox] = await Promise.all([FakeTeams.start(), Mailbox.start()]);
    return () => Promise.all([teams.stop(), mailbox.stop()]);
  });
  const send = () => doctor({ ...teams.variables, ...mailbox.variables }, '--send');

  test('sends a card and an email', async () => {
    const { said } = await send();
    expect(said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ok teams: a test card: accepted \(202\)/),
        expect.stringMatching(/^ok mail: a test email to desk@tidewell\.example: accepted \(250/),
      ]),
    );
    expect(teams.faults).toEqual([]);
    expect(teams.accepted).toHaveLength(1);
    const mail = { subject: 'Test of the site’s messages', recipients: ['desk@tidewell.example'] };
    expect(mailbox.mails).toMatchObject([mail]);
  });

  test('sends an event, or says why the webhook does not take it, without the secret', async () => {
    const webhook = await FakeWebhook.start();
    const { said } = await doctor(webhook.variables, '--send');
    expect(said).toContain('ok webhook: a test event: accepted (204); look whether it arrived');
    expect(webhook.accepted).toMatchObject([{ type: 'test' }]);
    const other = { ...webhook.variables, WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` };
    expect((await doctor(other, '--send')).said).toContain(
      'error webhook: a test event: refused (401)',
    );
    await webhook.stop();
    const unreached = (await doctor(other)).said.join();
    expect(unreached).toContain('error webhook: 127.0.0.1 is not reached');
    expect(unreached).not.toContain('5f1e2d');
  });

  test('sends an email through Graph to the address that follows', async () => {
    const graph = await FakeGraph.start();
    const { said } = await doctor(graph.variables, '--send', 'me@dealer.example');
    await graph.stop();
    expect(said.join('\n')).toMatch(/^ok mail: a test email to me@dealer\.example: accepted/m);
    expect(graph.mails).toMatchObject([{ recipients: ['me@dealer.example'] }]);
    expect(said.join()).not.toContain(GRAPH_SECRET);
  });

  test('reports a refused card and email, without the secret', async () => {
    teams.behaviour = () => ({ status: 401 });
    mailbox.behaviour = () => 550;
    const { said, code } = await send();
    expect(said).toEqual(
      expect.arrayContaining([
        'error teams: a test card: refused (401)',
        expect.stringMatching(/^error mail: a test email to .*: not sent \(.*550/),
      ]),
    );
    expect(said.join()).not.toContain(SECRET);
    expect(code).toBe(1);
  });
});
