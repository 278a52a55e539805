/** The Safeguards report by email: only to the given address, limited, and with no text of a visitor's. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { forgetOldReports } from '../../../src/safeguards/email-report.server.ts';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { OWN_PASSWORD, startTestApp, type TestApp } from '../../support/test-app.ts';

const PATH = '/api/safeguards-report';
const ANSWERS = { consumers: 'yes', individual: 'yes', mfa: 'no', logging: 'unsure' };
const DAY_MS = 24 * 60 * 60 * 1000;

let mailbox: Mailbox;
let app: TestApp;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  app = await startTestApp({ ...mailbox.variables, ...OWN_PASSWORD });
});
afterAll(async () => {
  await app.stop();
  await mailbox.stop();
});
afterEach(() => {
  vi.useRealTimers();
});

const send = (body: object, visitor = app.visitor()) =>
  visitor.post(PATH, { answers: ANSWERS, ...body });
const rows = () => app.database.db.selectFrom('safeguardsReports').selectAll().execute();

test('the report goes only to the given address, with states, paragraphs and what to do first', async () => {
  const email = 'dana@fox.example';
  const before = mailbox.mails.length;
  expect((await send({ email })).json).toEqual({ sent: true });
  await eventually(() => expect(mailbox.to(email)).toHaveLength(1));
  const [mail] = mailbox.to(email);
  const text = mail?.text?.replace(/\s+/g, ' ') ?? '';
  expect(mail?.subject).toBe('Your FTC Safeguards self-check');
  for (const part of [
    '1 in place, 1 missing, 8 not known.',
    '1. Multi-factor authentication (314.4(c)(5)): List every system',
    '2. Access by need, reviewed (314.4(c)(1))',
    'Safeguards that control the risks: Missing',
    'This is a self-check, not legal advice.',
    `${app.address}/safeguards-check`,
    'If it wasn’t you, please ignore it.',
  ])
    expect(text).toContain(part);
  // Staff get no email.
  expect(mailbox.mails).toHaveLength(before + 1);
});

test.each([
  [{ email: 'a@b.example, c@d.example' }, 'email'],
  [{ email: 'x@y.example', answers: {} }, 'answers'],
  [{ email: 'x@y.example', answers: { mfa: 'perhaps' } }, 'answers.mfa'],
  [{ email: 'x@y.example', answers: { constructor: 'yes' } }, 'answers'],
])('a request with %o is refused at its field and not saved', async (body, field) => {
  const before = await rows();
  const { status, json } = await send(body);
  expect(status).toBe(400);
  expect(json.errors.map(({ path }: { path: string }) => path)).toContain(field);
  expect(await rows()).toEqual(before);
});

test('a request with a name, a store or a message is refused', async () => {
  for (const field of ['name', 'store', 'message'])
    expect((await send({ email: 'x@y.example', [field]: 'Buy now' })).status).toBe(400);
});

test('three reports a day are sent to one mailbox, whoever requests them and however the address is spelled', async () => {
  const spellings = ['m@fox.example', 'M@fox.example', 'm+1@FOX.example', 'm+2.x@fox.example'];
  const sent = Array.from({ length: 30 }, (_, index) => send({ email: spellings[index % 4] }));
  const answers = await Promise.all(sent);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.json.message).toContain('Several reports');
  expect(refused?.headers.get('retry-after')).toBe('86400');
  const { db } = app.database;
  const counted = db.updateTable('mailRecipients').where('email', '=', 'm@fox.example');
  const age = (ms: number) => counted.set(({ eb }) => ({ since: eb('since', '-', ms) })).execute();
  await age(DAY_MS - 60_000);
  expect((await send({ email: 'm+3@fox.example' })).status).toBe(429);
  await age(60_001);
  expect((await send({ email: 'm+3@fox.example' })).status).toBe(200);
});

test('one visitor can request three reports a minute, and reads when to try again', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  const visitor = app.visitor();
  const one = async (name: string) => {
    const { status, headers } = await send({ email: `${name}@fox.example` }, visitor);
    return [status, headers.get('retry-after')];
  };
  for (const name of ['ann', 'bea', 'cid']) expect(await one(name)).toEqual([200, null]);
  expect(await one('dot')).toEqual([429, '60']);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await one('dot')).toEqual([200, null]);
});

test('a program that fills in the hidden field reads that the report was sent, but nothing is', async () => {
  const before = await rows();
  const robot = { email: 'robot@fox.example', website: 'http://x.example' };
  expect((await send(robot)).json).toEqual({ sent: true });
  expect(await rows()).toEqual(before);
});

test('requests are deleted after a day', async () => {
  const { db } = app.database;
  await send({ email: 'old@fox.example' });
  await send({ email: 'young@fox.example' });
  await db
    .updateTable('safeguardsReports')
    .set({ createdAt: Date.now() - DAY_MS - 1000 })
    .where('email', '=', 'old@fox.example')
    .execute();
  const forgetting = forgetOldReports(db);
  forgetting.start();
  await forgetting.stop();
  const left = (await rows()).map((row) => row.email);
  expect(left).toContain('young@fox.example');
  expect(left).not.toContain('old@fox.example');
});

test('without mail configured, the call is refused and the page does not offer the report', async () => {
  const silent = await startTestApp();
  const { status, json } = await send({ email: 'dana@fox.example' }, silent.visitor());
  expect([status, json.message]).toEqual([
    409,
    'We can’t send email from here. Please print this page.',
  ]);
  const stored = silent.database.db.selectFrom('safeguardsReports').selectAll();
  expect(await stored.execute()).toEqual([]);
  const page = async (site: TestApp) => (await site.visitor().get('/safeguards-check')).text;
  expect(await page(silent)).toContain('"mailed":false');
  expect(await page(app)).toContain('"mailed":true');
  await silent.stop();
});
