/** The Safeguards report by email: limited, and with no text of a visitor's. */
import { expect, test, vi } from 'vitest';
import { notifiedSite } from '../../support/notified-site.ts';
import { OWN_PASSWORD, ownTestApp, type TestApp } from '../../support/test-app.ts';

const ANSWERS = { consumers: 'yes', individual: 'yes', mfa: 'no', logging: 'unsure' };
const DAY_MS = 24 * 60 * 60 * 1000;

const site = notifiedSite('all tests', OWN_PASSWORD);

const send = (body: object, visitor = site.app.visitor()) =>
  visitor.post('/api/safeguards-report', { answers: ANSWERS, ...body });
const stored = ({ database }: TestApp = site.app) =>
  database.db.selectFrom('safeguardsReports').selectAll().execute();

test('the report goes only to the given address, with states, paragraphs and what to do first', async () => {
  const email = 'dana@fox.example';
  expect((await send({ email })).json).toEqual({ sent: true });
  await site.allAccepted();
  const [mail] = site.mailbox.to(email);
  const text = mail?.text?.replace(/\s+/g, ' ') ?? '';
  expect(mail?.subject).toBe('Your FTC Safeguards self-check');
  for (const part of [
    '1 in place, 1 missing, 8 not known',
    '1. Multi-factor authentication (314.4(c)(5)): List every system',
    '2. Access by need, reviewed (314.4(c)(1))',
    'Safeguards that control the risks: Missing',
    'This is a self-check, not legal advice.',
    `${site.app.address}/safeguards-check`,
    'If it wasn’t you, please ignore it.',
  ])
    expect(text).toContain(part);
  // Staff get nothing.
  expect([site.mailbox.mails.length, site.teams.accepted]).toEqual([1, []]);
});

test.each([
  [{ email: 'a@b.example, c@d.example' }, 'email'],
  [{ email: 'x@y.example', answers: {} }, 'answers'],
  [{ email: 'x@y.example', answers: { mfa: 'perhaps' } }, 'answers.mfa'],
  [{ email: 'x@y.example', answers: { constructor: 'yes' } }, 'answers'],
  // No trap: success is never answered for what is thrown away.
  [{ email: 'x@y.example', website: 'http://x.example' }, ''],
])('a request with %o is refused at its field and not saved', async (body, field) => {
  const before = await stored();
  const errors = expect.arrayContaining([expect.objectContaining({ path: field })]);
  expect(await send(body)).toMatchObject({ status: 400, json: { errors } });
  expect(await stored()).toEqual(before);
});

test('ten reports a day are sent to one mailbox, whoever requests them and however the address is spelled', async () => {
  const spellings = ['m@fox.example', 'M@fox.example', 'm+1@FOX.example', 'm+2.x@fox.example'];
  const sent = Array.from({ length: 30 }, (_, index) => send({ email: spellings[index % 4] }));
  const answers = await Promise.all(sent);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.json.message).toContain('Several emails');
  expect(refused?.headers.get('retry-after')).toBe('86400');
  const { db } = site.app.database;
  const counted = db.updateTable('mailRecipients').where('email', '=', 'm@fox.example');
  const age = (ms: number) => counted.set(({ eb }) => ({ since: eb('since', '-', ms) })).execute();
  await age(DAY_MS - 60_000);
  expect((await send({ email: 'm+3@fox.example' })).status).toBe(429);
  await age(60_001);
  expect((await send({ email: 'm+3@fox.example' })).status).toBe(200);
});

test('a report that could not leave, after ten emails to its mailbox today, is refused', async () => {
  const email = 'crowded@fox.example';
  await send({ email });
  const { db } = site.app.database;
  await db.updateTable('mailRecipients').set({ mails: 10 }).where('email', '=', email).execute();
  const before = await stored();
  expect((await send({ email })).status).toBe(429);
  expect(await stored()).toEqual(before);
});

test('one visitor can request three reports a minute and ten an hour, and reads when to try again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const visitor = site.app.visitor();
  let people = 0;
  const one = async () => {
    people += 1;
    const { status, headers } = await send({ email: `dana-${people}@fox.example` }, visitor);
    return [status, headers.get('retry-after')];
  };
  for (const [accepted, minutes] of [...Array(3).fill([3, 1]), [1, 57]]) {
    for (let sent = 0; sent < accepted; sent += 1) expect(await one()).toEqual([200, null]);
    expect(await one()).toEqual([429, `${minutes * 60}`]);
    vi.advanceTimersByTime(60_000);
  }
});

test('without mail configured, the call is refused and the page does not offer the report', async () => {
  const silent = await ownTestApp();
  const message = 'We can’t send email from here. Please print this page.';
  const refused = await send({ email: 'dana@fox.example' }, silent.visitor());
  expect(refused).toMatchObject({ status: 409, json: { message } });
  expect(await stored(silent)).toEqual([]);
  const page = async (app: TestApp) => (await app.visitor().get('/safeguards-check')).text;
  expect(await page(silent)).toContain('"mail":false');
  expect(await page(site.app)).toContain('"mail":true');
});
