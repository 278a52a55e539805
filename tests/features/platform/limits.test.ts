/** A visitor over a limit is told when to try again; everyone else is served. */
import { describe, expect, test, vi } from 'vitest';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { captureLog } from '../../support/logged.ts';
import { customer, linkOf } from '../../support/own-page.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../support/test-app.ts';
import type { Answered, Visitor } from '../../support/visitor.ts';

/** One after the other, since two changes of an order at once refuse each other. */
async function statuses(count: number, send: () => Promise<Answered>): Promise<number[]> {
  const answered: number[] = [];
  for (let sent = 0; sent < count; sent += 1) answered.push((await send()).status);
  return answered;
}
const times = (count: number, status: number) => Array<number>(count).fill(status);

const refusalOf = ({ status, headers, json }: Answered) => [
  status,
  headers.get('retry-after'),
  json.message,
];
const tooMany = (seconds: number, wait: string) => [
  429,
  String(seconds),
  `Too many requests. Please try again in ${wait}.`,
];

/** Limit: ten in ten minutes. */
const askToPay = (visitor: Visitor, change = {}, headers: Record<string, string> = {}) =>
  visitor.post('/api/create-payment-intent', { ...SAMPLE_ORDER, ...change }, headers);
/** Limit: five a minute. */
const write = (visitor: Visitor, change = {}) =>
  visitor.post('/api/contact', { ...SAMPLE_MESSAGE, ...change });
const writeNothing = (visitor: Visitor) => write(visitor, { message: '' });

describe('behind one proxy', () => {
  const app = sharedTestApp(OWN_PASSWORD);
  const stopTime = () => vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const letPass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);

  test('a visitor can place ten orders in ten minutes, and is told exactly when to try again', async () => {
    stopTime();
    const visitor = app.visitor();
    expect(await statuses(10, () => askToPay(visitor))).toEqual(times(10, 200));
    expect(refusalOf(await askToPay(visitor))).toEqual(tooMany(600, '10 minutes'));
    letPass(509.5);
    expect(refusalOf(await askToPay(visitor))).toEqual(tooMany(91, '2 minutes'));
    letPass(90);
    expect(refusalOf(await askToPay(visitor))).toEqual(tooMany(1, '1 second'));
    expect((await askToPay(app.visitor())).status).toBe(200);
    // Other calls are not affected.
    expect((await visitor.get('/api/plans')).status).toBe(200);
    letPass(1);
    expect((await askToPay(visitor)).status).toBe(200);
  });

  test('a visitor can send the contact form again at the announced time, however many attempts were refused', async () => {
    stopTime();
    const visitor = app.visitor();
    expect(await statuses(50, () => write(visitor))).toEqual([...times(5, 200), ...times(45, 429)]);
    // 25 of the hour's 30 are left, so only the minute's limit applies.
    expect(refusalOf(await write(visitor))).toEqual(tooMany(60, '60 seconds'));
    for (let minute = 1; minute < 6; minute += 1) {
      letPass(60);
      expect(await statuses(6, () => write(visitor))).toEqual([...times(5, 200), 429]);
    }
    letPass(60);
    expect(refusalOf(await write(visitor))).toEqual(tooMany(54 * 60, '54 minutes'));
  });

  test('a call counts as it comes, also one that is refused', async () => {
    const visitor = app.visitor();
    expect(await statuses(5, () => writeNothing(visitor))).toEqual(times(5, 400));
    expect((await write(visitor)).status).toBe(429);
    // Each may have made the site ask the payment provider.
    const key = { 'Idempotency-Key': `refused-${visitor.address}` };
    const atOldPrice = () => askToPay(visitor, { amount: 1 }, key);
    expect(await statuses(10, atOldPrice)).toEqual(times(10, 409));
    expect((await askToPay(visitor)).status).toBe(429);
  });

  test('an order repeated with its idempotency key does not count again', async () => {
    const visitor = app.visitor();
    const again = () => askToPay(visitor, {}, { 'Idempotency-Key': `again-${visitor.address}` });
    const { orderId } = (await again()).json;
    expect(orderId).toBeGreaterThan(0);
    for (let count = 0; count < 15; count += 1) expect((await again()).json.orderId).toBe(orderId);
    expect(await statuses(10, () => askToPay(visitor))).toEqual([...times(9, 200), 429]);
    expect((await again()).status).toBe(429);
  });

  test('a chat message repeated with its key does not count again', async () => {
    const visitor = app.visitor();
    const send = (message: string, headers = {}) =>
      visitor.post('/api/teams-chat', { message }, headers);
    const key = { 'Idempotency-Key': `again-${visitor.address}` };
    expect(await statuses(25, () => send('Hello?', key))).toEqual(times(25, 200));
    expect((await send('Another', key)).status).toBe(409);
    expect(await statuses(19, () => send('Still here'))).toEqual([...times(18, 200), 429]);
  });

  test('a browser can report ten failures a minute, and a report with anything else is refused', async () => {
    stopTime();
    const log = captureLog();
    const visitor = app.visitor();
    const failure = { kind: 'part', page: '/checkout', error: 'TypeError', place: 'shop.js:1:2' };
    const report = (change = {}, by = visitor) =>
      by.post('/api/page-failures', { ...failure, ...change });
    for (const change of [
      { page: '/checkout?email=ann@lakeside.example' },
      { page: '/quote/a-secret-token' },
      { page: '/checkout/order#a-secret-token' },
      { error: 'ann@lakeside.example is not a function' },
      { place: 'Ann Moore' },
      { message: 'Ann Moore' },
    ])
      expect([change, (await report(change, app.visitor())).status]).toEqual([change, 400]);
    expect(await statuses(12, () => report())).toEqual([...times(10, 204), 429, 429]);
    letPass(60);
    expect((await report()).status).toBe(204);
    const reports = log.lines.filter(({ event }) => event === 'part-failed');
    const added = { at: expect.any(String), request: expect.any(String) };
    const line = { ...added, level: 'warn', event: 'part-failed', ...failure };
    expect(reports).toEqual(Array(11).fill(line));
    expect(JSON.stringify(log.lines)).not.toMatch(/ann|secret/i);
  });

  test('a customer can load the order page 60 times a minute', async () => {
    stopTime();
    const visitor = app.visitor();
    const own = await linkOf(app, (await askToPay(visitor)).json.orderId);
    const ask = () => visitor.post('/api/order-page', { token: own.token });
    expect(await statuses(60, ask)).toEqual(times(60, 200));
    expect(refusalOf(await ask())).toEqual(tooMany(60, '60 seconds'));
    letPass(60);
    expect((await ask()).status).toBe(200);
  });

  test('a visitor can write 20 chat messages a minute and 100 an hour, save five quotes and 30, and change a plan ten times and 40', async () => {
    stopTime();
    const { visitor, ask } = await customer(app);
    let mailboxes = 0;
    const save = () => {
      mailboxes += 1;
      return visitor.post('/api/quotes', { ...QUOTE, email: `dana-${mailboxes}@fox.example` });
    };
    for (const [send, status, aMinute, minutes, wait] of [
      [() => visitor.post('/api/teams-chat', { message: 'Hi' }), 200, 20, 5, 55],
      [save, 201, 5, 6, 54],
      [() => ask('keep'), 200, 10, 4, 56],
    ] as const) {
      for (let minute = 0; minute < minutes; minute += 1) {
        expect(await statuses(aMinute, send)).toEqual(times(aMinute, status));
        expect((await send()).headers.get('retry-after')).toBe(
          minute < minutes - 1 ? '60' : `${(wait + 1) * 60}`,
        );
        letPass(60);
      }
      expect(refusalOf(await send())).toEqual(tooMany(wait * 60, `${wait} minutes`));
    }
    // The ways to change a plan count together.
    for (const what of ['change', 'cancel', 'card/use'])
      expect([what, (await ask(what)).status]).toEqual([what, 429]);
    const other = app.visitor();
    expect((await other.post('/api/teams-chat', { message: 'Hi' })).status).toBe(200);
  });

  test('all other calls together are answered 300 times a minute', async () => {
    stopTime();
    const visitor = app.visitor();
    const answered = await statuses(199, () => visitor.get('/api/payment-config'));
    expect(answered).toEqual(times(199, 200));
    expect((await visitor.get('/api/orders/1')).status).toBe(404);
    const refused = await statuses(101, () => visitor.get('/api/admin/contacts'));
    expect(refused).toEqual([...times(100, 401), 429]);
    letPass(18);
    expect(refusalOf(await visitor.get('/api/plans'))).toEqual(tooMany(42, '42 seconds'));
    expect((await app.visitor().get('/api/plans')).status).toBe(200);
    expect((await visitor.get('/')).status).toBe(200);
    const updates = await statuses(50, () => visitor.post('/api/update-plans'));
    expect(updates).toEqual(times(50, 200));
    // Not configured here; Stripe sends as many events as it has.
    const message = 'Stripe is not configured';
    const event = await visitor.post('/api/stripe/webhook');
    expect(event).toMatchObject({ status: 503, json: { message } });
    expect((await write(visitor)).status).toBe(200);
  });

  test('all addresses of an IPv6 household count as one visitor', async () => {
    const from = (address: string) => Object.assign(app.visitor(), { address });
    for (let host = 1; host <= 10; host += 1) {
      await askToPay(from(`2001:db8:1:2::${host.toString(16)}`));
    }
    expect((await askToPay(from('2001:db8:1:2:ffff::1'))).status).toBe(429);
    expect((await askToPay(from('2001:db8:1:3::1'))).status).toBe(200);
  });
});

describe('without a proxy', () => {
  const app = sharedTestApp({ ...OWN_PASSWORD, TRUST_PROXY: '0' });

  test('X-Forwarded-For is ignored', async () => {
    await statuses(10, () => askToPay(app.visitor()));
    expect((await askToPay(app.visitor())).status).toBe(429);
  });
});

describe('the demo', () => {
  const app = sharedTestApp();

  test('allows ten times as much', async () => {
    const visitor = app.visitor();
    for (let batch = 0; batch < 5; batch += 1) {
      expect(await statuses(10, () => write(visitor))).toEqual(times(10, 200));
    }
    expect((await write(visitor)).status).toBe(429);
    const guess = { username: 'admin', password: 'a guess' };
    const guesses = await statuses(12, () => visitor.post('/api/admin/login', guess));
    expect(guesses).toEqual(times(12, 401));
  });
});
