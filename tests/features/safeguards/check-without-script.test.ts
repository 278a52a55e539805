/** The Safeguards check as a plain browser sends it: a page answers, and nothing of it is kept anywhere. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tablesWith } from '../../support/every-row.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { OWN_PASSWORD, startTestApp, type TestApp } from '../../support/test-app.ts';

const FORM = 'application/x-www-form-urlencoded';
const PATH = '/safeguards-check';

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

const send = (
  fields: Record<string, string>,
  { path = PATH, visitor = app.visitor(), headers = {} } = {},
) =>
  visitor.send(path, {
    method: 'POST',
    headers: { Origin: app.address, 'Content-Type': FORM, ...headers },
    body: new URLSearchParams(fields).toString(),
  });

test('shows the result with what was answered, for this visitor alone', async () => {
  const { status, text, headers } = await send({
    consumers: 'yes',
    mfa: 'no',
    store: 'Fox Motors',
  });
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).toContain('Fox Motors');
  expect(text).toContain('What to do first');
  expect(text).toContain('1 missing, 9 not known');
  // The form is there to be corrected, as it was filled in.
  expect(text).toMatch(/<input type="radio"[^>]*name="mfa"[^>]*checked=""[^>]*value="no"/);
  const { text: other } = await app.visitor().get(PATH);
  expect(other).not.toContain('Fox Motors');
  expect(other).not.toContain('What to do first');
});

test('stores nothing, and no address holds an answer', async () => {
  const visitor = app.visitor();
  await send({ consumers: 'yes', mfa: 'no', store: 'Unheard Of Motors' }, { visitor });
  const staff = await app.staff();
  await eventually(async () => {
    const { json } = await staff.get('/api/admin/logs');
    expect(json.logs).toContain(`POST ${PATH} `);
  });
  for (const text of ['Unheard Of', 'mfa=', '"mfa"'])
    expect([text, await tablesWith(app.database, text)]).toEqual([text, []]);
});

test('what was typed is text', async () => {
  const { text } = await send({ mfa: 'no', store: '<img src=x onerror=alert(1)>' });
  expect(text).toContain('&lt;img src=x');
  expect(text).not.toContain('<img src=x');
});

test('what makes no sense is refused with a finished page that shows nothing of it', async () => {
  const cases: [number, Record<string, string>, Record<string, string>][] = [
    [400, {}, {}],
    [400, { mfa: 'perhaps' }, {}],
    [400, { weather: 'yes' }, {}],
    [400, { mfa: 'no', store: 'x'.repeat(81) }, {}],
    [400, { mfa: 'no', store: 'a\u0000hole' }, {}],
    [403, { mfa: 'no' }, { Origin: 'https://evil.example' }],
    [415, { mfa: 'no' }, { 'Content-Type': 'text/plain' }],
    [413, { mfa: 'no', store: 'x'.repeat(70_000) }, {}],
  ];
  for (const [status, fields, headers] of cases) {
    const answered = await send(fields, { headers });
    expect([status, fields, answered.status]).toEqual([status, fields, status]);
    expect(answered.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answered.headers.get('cache-control')).toBe('no-store');
    expect(answered.text).toContain('Your answers are still in the form');
    expect(answered.text).not.toContain('What to do first');
    expect(answered.headers.get('retry-after')).toBe(null);
  }
});

test('twenty results a minute are drawn for one visitor, who is told when to come back', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  const visitor = app.visitor();
  const fill = () => send({ mfa: 'no' }, { visitor });
  for (let times = 0; times < 20; times += 1) expect((await fill()).status).toBe(200);
  const { status, text, headers } = await fill();
  expect([status, headers.get('retry-after')]).toEqual([429, '60']);
  expect(text).toContain('Too many requests. Please try again in 60 seconds.');
  vi.setSystemTime(Date.now() + 60_000);
  expect((await fill()).status).toBe(200);
});

test('a program that fills in every field reads its result, and no report is sent', async () => {
  const robot = { mfa: 'no', email: 'robot@fox.example', website: 'http://x.example' };
  expect((await send(robot, { path: `${PATH}/email` })).status).toBe(200);
  expect(await tablesWith(app.database, robot.email)).toEqual([]);
});

test('the report is emailed without script too, and the result stays on the page', async () => {
  const path = `${PATH}/email`;
  const email = 'plain@fox.example';
  const { status, text } = await send({ mfa: 'no', email, website: '' }, { path });
  expect(status).toBe(200);
  expect(text).toContain('The report is on its way to you.');
  expect(text).toContain('What to do first');
  await eventually(() => expect(mailbox.to(email)).toHaveLength(1));
  const wrong = await send({ mfa: 'no', email: 'plain' }, { path });
  expect([wrong.status, wrong.text.includes('Please enter a valid email address')]).toEqual([
    400,
    true,
  ]);
  // Nobody arrives there by a link.
  expect((await app.visitor().get(path)).status).toBe(404);
});
