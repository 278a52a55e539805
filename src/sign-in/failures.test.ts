/** Guessing passwords is stopped, and staff in browsers that have signed in before get in. */
import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import type { Answered, Visitor } from '../../tests/support/visitor.ts';
import { HOUR_MS } from '../platform/time.ts';
import { setPassword } from './password-account.server.ts';

const RIGHT = { username: 'admin', password: OWN_PASSWORD.ADMIN_PASSWORD };
const message = 'Too many failed attempts. Please try again in 15 minutes.';
const REFUSED = [429, '900', { message }];

const app = sharedTestApp(OWN_PASSWORD);
let hours = 0;
beforeEach(() => {
  hours += 1;
  // Failures of the tests before are over.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  vi.advanceTimersByTime(hours * HOUR_MS);
});

const guess = (visitor: Visitor, username = 'admin') =>
  visitor.post('/api/admin/login', { username, password: 'a guess' });
const enter = (visitor: Visitor) => visitor.post('/api/admin/login', RIGHT);
const refusalOf = ({ status, headers, json }: Answered) => [
  status,
  headers.get('retry-after'),
  json,
];
const advance = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);

/** Ten wrong passwords from ten addresses, sent at once. */
const lockOut = () => Promise.all(Array.from({ length: 10 }, () => guess(app.visitor())));

describe('a stranger', () => {
  test('has ten attempts per address, whatever the names, also concurrently', async () => {
    const visitor = app.visitor();
    const guesses = await Promise.all(
      Array.from({ length: 15 }, (_, n) => guess(visitor, `name-${n}`)),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = guesses.filter(({ status }) => status !== 401).map(refusalOf);
    expect(refused).toEqual(Array(5).fill(REFUSED));
    // Even the right password is refused, but not from another address.
    expect((await enter(visitor)).status).toBe(429);
    expect((await enter(app.visitor())).status).toBe(200);
  });

  test('has ten attempts per name, whatever the addresses and the case', async () => {
    const spelled = (n: number) => ['admin', 'ADMIN', 'Admin'][n % 3];
    const guesses = Array.from({ length: 10 }, (_, n) => guess(app.visitor(), spelled(n)));
    for (const { status } of await Promise.all(guesses)) expect(status).toBe(401);
    expect(refusalOf(await guess(app.visitor(), 'aDMIN'))).toEqual(REFUSED);
    expect((await guess(app.visitor(), 'someone else')).status).toBe(401);
  });

  test.each([
    ['an IPv6 /48', (n: number) => `2001:db8:7:${n.toString(16)}::1`, '2001:db8:8::1'],
    ['an IPv4 /24', (n: number) => `203.0.113.${n}`, '198.51.100.7'],
  ])(
    'has fifty attempts per network, here %s, which keep out nobody else',
    async (_, from, other) => {
      const at = (address: string) => Object.assign(app.visitor(), { address });
      const guesses = Array.from({ length: 51 }, (_, n) => guess(at(from(n)), `name-${n}`));
      const refused = (await Promise.all(guesses)).filter(({ status }) => status !== 401);
      expect(refused.map(refusalOf)).toEqual([REFUSED]);
      expect((await enter(at(other))).status).toBe(200);
    },
  );

  test('waits for the time of Retry-After, and no longer after refused attempts', async () => {
    await lockOut();
    advance(10 * 60 + 0.5);
    expect((await guess(app.visitor())).headers.get('retry-after')).toBe('300');
    advance(5 * 60 - 1);
    expect((await enter(app.visitor())).headers.get('retry-after')).toBe('1');
    advance(1);
    expect((await enter(app.visitor())).status).toBe(200);
  });

  // A hundred thousand rows: one engine is enough for the gate.
  test.runIf(inject('engine') === 'sqlite' || inject('everything'))(
    'replaces the oldest failures in the audit, so that no one can fill the disk',
    async () => {
      const { db } = app.database;
      await enter(app.visitor());
      const row = { at: 1, kind: 'sign-in-failed', name: 'x', address: '', detail: '' };
      for (let count = 0; count < 100; count += 1) {
        await db.insertInto('audit').values(Array<typeof row>(1000).fill(row)).execute();
      }
      for (let count = 0; count < 3; count += 1) await guess(app.visitor());
      const failed = db.selectFrom('audit').select('id').where('kind', '=', 'sign-in-failed');
      await eventually(async () => {
        const rows = await failed.select('name').orderBy('id', 'desc').execute();
        expect(rows).toHaveLength(100_000);
        expect(rows.slice(0, 3).map(({ name }) => name)).toEqual(['admin', 'admin', 'admin']);
      });
      const others = db.selectFrom('audit').select('id').where('kind', '=', 'signed-in');
      expect(await others.execute()).not.toEqual([]);
    },
  );
});

describe('a browser that has signed in before', () => {
  let colleague: Visitor;
  beforeEach(async () => {
    colleague = await app.staff();
  });
  const guessNames = async (visitor: Visitor) => {
    for (let n = 0; n < 10; n += 1) await guess(visitor, `name-${n}`);
  };

  test('is not locked out by failures of others with its name or address', async () => {
    await colleague.post('/api/admin/logout');
    await lockOut();
    const neighbour = Object.assign(app.visitor(), { address: colleague.address });
    await guessNames(neighbour);
    expect((await enter(neighbour)).status).toBe(429);
    expect((await enter(colleague)).status).toBe(200);
    expect((await enter(colleague.move())).status).toBe(200);
  });

  test('does not wait for strangers who guess', async () => {
    const ended: string[] = [];
    const guesses = Array.from({ length: 40 }, async (_, n) => {
      await guess(app.visitor(), `name-${n}`);
      ended.push('stranger');
    });
    await enter(colleague);
    ended.push('colleague');
    await Promise.all(guesses);
    expect(ended.indexOf('colleague')).toBeLessThan(20);
  });

  test('has ten attempts of its own, which count against no one else', async () => {
    const guesses = await Promise.all(Array.from({ length: 12 }, () => guess(colleague)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(refusalOf(await enter(colleague.move()))).toEqual(REFUSED);
    expect((await enter(app.visitor())).status).toBe(200);
  });

  test('gets a new cookie at each sign-in, so whoever knows the last one cannot use up its attempts', async () => {
    const thief = app.visitor();
    thief.cookies.set('known_browser', colleague.cookies.get('known_browser') ?? '');
    expect((await enter(colleague)).status).toBe(200);
    for (let times = 0; times < 10; times += 1) await guess(thief);
    expect((await enter(thief)).status).toBe(429);
    expect((await enter(colleague)).status).toBe(200);
  });

  test('is recognised only by its genuine cookie', async () => {
    const genuine = colleague.cookies.get('known_browser') ?? '';
    const [id = '', signature = ''] = genuine.split('.');
    await lockOut();
    const statusWith = async (cookie: string) => {
      const visitor = app.visitor();
      visitor.cookies.set('known_browser', cookie);
      return (await enter(visitor)).status;
    };
    const forged = [
      `${'A'.repeat(22)}.${signature}`,
      `${id}.${'A'.repeat(43)}`,
      `${id}.${signature}A`,
      id,
    ];
    for (const cookie of forged) expect([cookie, await statusWith(cookie)]).toEqual([cookie, 429]);
    expect(await statusWith(genuine)).toBe(200);
  });

  test('is a stranger to another name', async () => {
    await guessNames(colleague);
    expect((await guess(colleague, 'another')).status).toBe(429);
    expect((await enter(colleague)).status).toBe(200);
  });

  test('is a stranger once the password has changed', async () => {
    await setPassword(app.database.db, 'admin', 'another long password');
    await lockOut();
    const again = { username: 'admin', password: 'another long password' };
    expect((await colleague.post('/api/admin/login', again)).status).toBe(429);
    await setPassword(app.database.db, RIGHT.username, RIGHT.password);
  });
});
