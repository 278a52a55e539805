/** One visitor who asks too much is told when to come back; all others are answered. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../support/call-rows.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import type { Answered, Visitor } from '../support/visitor.ts';

let app: TestApp;

const statuses = async (count: number, send: () => Promise<Answered>) =>
  (await Promise.all(Array.from({ length: count }, send))).map(({ status }) => status).sort();
const times = (count: number, status: number) => Array<number>(count).fill(status);

/** Cheap, and counted before it is refused: 10 in 10 minutes. */
const askToPay = (visitor: Visitor, headers: Record<string, string> = {}) =>
  visitor.post('/api/create-payment-intent', {}, headers);

describe('behind one proxy', () => {
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('a visitor may ask to pay ten times in ten minutes', async () => {
    const visitor = app.visitor();
    expect(await statuses(10, () => askToPay(visitor))).toEqual(times(10, 400));
    const { status, headers, json } = await askToPay(visitor);
    expect(status).toBe(429);
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(500);
    expect(wait).toBeLessThanOrEqual(600);
    expect(json).toEqual({ message: 'Too many requests. Please try again in 10 minutes.' });
    expect((await askToPay(app.visitor())).status).toBe(400);
    // The limit is this call's alone.
    expect((await visitor.get('/api/plans')).status).toBe(200);
  });

  test('the contact form may be sent again when the refusal said so, however often it was pressed', async () => {
    const visitor = app.visitor();
    const send = () => visitor.post('/api/contact', SAMPLE_MESSAGE);
    expect(await statuses(5, send)).toEqual(times(5, 200));
    expect(await statuses(30, send)).toEqual(times(30, 429));
    // The hour's allowance of 30 has 25 left: what is awaited is the end of the minute.
    expect(Number((await send()).headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  test('every other call is answered 300 times a minute, all of them together', async () => {
    const visitor = app.visitor();
    const half = await statuses(150, () => visitor.get('/api/payment-config'));
    expect(half).toEqual(times(150, 200));
    const rest = await statuses(151, () => visitor.get('/api/orders/1'));
    expect(rest).toEqual([...times(150, 404), 429]);
    expect((await visitor.get('/api/plans')).headers.get('retry-after')).toMatch(/^[1-5]?\d|60$/);
    expect((await app.visitor().get('/api/plans')).status).toBe(200);
    expect((await visitor.get('/')).status).toBe(200);
    expect((await visitor.post('/api/update-plans')).status).toBe(200);
  });

  test('an IPv6 household is one visitor, however many addresses it has', async () => {
    const from = (address: string) => Object.assign(app.visitor(), { address });
    for (let host = 1; host <= 10; host += 1) {
      await askToPay(from(`2001:db8:1:2::${host.toString(16)}`));
    }
    expect((await askToPay(from('2001:db8:1:2:ffff::1'))).status).toBe(429);
    expect((await askToPay(from('2001:db8:1:3::1'))).status).toBe(400);
  });

  test('what the visitor claims to be further left does not count', async () => {
    const visitor = app.visitor();
    const { address } = visitor;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      visitor.address = `10.9.8.${attempt}, ${address}`;
      await askToPay(visitor);
    }
    visitor.address = `10.9.8.200, ${address}`;
    expect((await askToPay(visitor)).status).toBe(429);
  });
});

describe('without a proxy', () => {
  afterEach(() => app.stop());

  test('X-Forwarded-For is nobody’s word', async () => {
    app = await startTestApp({ TRUST_PROXY: '0' });
    await statuses(10, () => askToPay(app.visitor()));
    expect((await askToPay(app.visitor())).status).toBe(429);
  });
});

describe('behind two proxies', () => {
  afterEach(() => app.stop());

  test('the entry of the outer one counts', async () => {
    app = await startTestApp({ TRUST_PROXY: '2' });
    const visitor = app.visitor();
    const { address } = visitor;
    for (let inner = 0; inner < 10; inner += 1) {
      visitor.address = `1.2.3.4, ${address}, 172.16.0.${inner}`;
      await askToPay(visitor);
    }
    visitor.address = `5.6.7.8, ${address}, 172.16.0.99`;
    expect((await askToPay(visitor)).status).toBe(429);
    visitor.address = `${address}, 203.0.113.77, 172.16.0.99`;
    expect((await askToPay(visitor)).status).toBe(400);
  });
});

describe('whoever guesses passwords', () => {
  const guess = (visitor: Visitor, username: string) =>
    visitor.post('/api/admin/login', { username, password: 'a guess' });
  afterEach(() => app.stop());

  test('has ten tries from one address, whatever the names', async () => {
    app = await startTestApp();
    const visitor = app.visitor();
    for (let i = 0; i < 10; i += 1) expect((await guess(visitor, `name-${i}`)).status).toBe(401);
    const { status, headers, json } = await guess(visitor, 'name-10');
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
    expect(json.message).toMatch(
      /^Too many failed attempts\. Please try again in 1[45] minutes\.$/,
    );
    // Not even with the right password.
    const right = { username: 'admin', password: 'showroom-demo' };
    expect((await visitor.post('/api/admin/login', right)).status).toBe(429);
    expect((await app.visitor().post('/api/admin/login', right)).status).toBe(200);
  });

  test('has ten tries at one name, whatever the addresses and the spelling', async () => {
    app = await startTestApp();
    for (let i = 0; i < 10; i += 1) {
      expect((await guess(app.visitor(), i % 2 ? 'ADMIN' : 'admin')).status).toBe(401);
    }
    expect((await guess(app.visitor(), 'Admin')).status).toBe(429);
    expect((await guess(app.visitor(), 'somebody else')).status).toBe(401);
  });

  test('is not told by a success that others failed: only failures count', async () => {
    app = await startTestApp();
    const visitor = app.visitor();
    const right = { username: 'admin', password: 'showroom-demo' };
    for (let i = 0; i < 12; i += 1) {
      expect((await visitor.post('/api/admin/login', right)).status).toBe(200);
    }
  });

  test('cannot race: many guesses sent at once are counted too', async () => {
    app = await startTestApp();
    const visitor = app.visitor();
    const answers = await statuses(40, () => guess(visitor, 'admin'));
    expect(answers).toEqual([...times(10, 401), ...times(30, 429)]);
  });
});
