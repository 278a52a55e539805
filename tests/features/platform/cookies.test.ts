/** What a browser keeps of us cannot be read by scripts, sent by other sites, or planted by a neighbour. */
import { describe, expect, test } from 'vitest';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { sharedTestApp, startTestApp } from '../../support/test-app.ts';

const DEMO = { username: 'admin', password: 'showroom-demo' };
const TOKEN = '[\\w-]{43}';
const SIGNED = `[\\w-]{22}\\.${TOKEN}`;

describe('our cookies', () => {
  const app = sharedTestApp();

  async function bothCookies(visitor = app.visitor(), origin = app.address) {
    const headers = { Origin: origin };
    const order = await visitor.post('/api/create-payment-intent', SAMPLE_ORDER, headers);
    const session = await visitor.post('/api/admin/login', DEMO, headers);
    const lines = [...order.headers.getSetCookie(), ...session.headers.getSetCookie()];
    return { visitor, lines, orderId: order.json.orderId };
  }

  test('are HttpOnly and SameSite=Lax on loopback', async () => {
    const { lines } = await bothCookies();
    const rest = 'Path=/; HttpOnly; SameSite=Lax';
    expect(lines).toEqual([
      expect.stringMatching(`^order_key=${TOKEN}; Max-Age=7776000; ${rest}$`),
      expect.stringMatching(`^session=${TOKEN}; Max-Age=43200; ${rest}$`),
      expect.stringMatching(`^known_browser=${SIGNED}; Max-Age=31536000; ${rest}$`),
    ]);
  });

  test('are Secure and bound to this host under https, where HSTS is sent with everything', async () => {
    const origin = 'https://www.tidewell.example';
    const secure = await startTestApp({ PUBLIC_URL: origin, PAYMENTS: 'test' });
    const { visitor, lines, orderId } = await bothCookies(secure.visitor(), origin);
    const rest = 'Path=/; HttpOnly; SameSite=Lax; Secure';
    expect(lines).toEqual([
      expect.stringMatching(`^__Host-order_key=${TOKEN}; Max-Age=7776000; ${rest}$`),
      expect.stringMatching(`^__Host-session=${TOKEN}; Max-Age=43200; ${rest}$`),
      expect.stringMatching(`^__Host-known_browser=${SIGNED}; Max-Age=31536000; ${rest}$`),
    ]);
    const order404 = '/api/orders/999';
    for (const path of ['/', '/checkout', '/nowhere', '/api/plans', order404, '/healthz']) {
      const { headers } = await visitor.get(path);
      expect([path, headers.get('strict-transport-security')]).toEqual([
        path,
        'max-age=63072000; includeSubDomains; preload',
      ]);
    }
    // A cookie without the prefix could come from a neighbour's host: it opens nothing.
    const neighbour = secure.visitor();
    for (const [name, value] of visitor.cookies) {
      neighbour.cookies.set(name.replace('__Host-', ''), value);
    }
    expect((await neighbour.get(`/api/orders/${orderId}`)).status).toBe(404);
    expect((await neighbour.get('/api/admin/session')).status).toBe(401);
    // The address that the server listens on is not the site's own origin any more.
    expect((await visitor.post('/api/update-plans')).status).toBe(403);
    await secure.stop();
  });

  test('of a session die with it, on the server too', async () => {
    const staff = await app.staff();
    const stolen = app.visitor();
    stolen.cookies.set('session', staff.cookies.get('session') ?? '');
    expect((await stolen.get('/api/admin/session')).status).toBe(200);
    const { headers } = await staff.post('/api/admin/logout');
    expect(headers.getSetCookie()).toEqual(['session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    expect((await stolen.get('/api/admin/session')).status).toBe(401);
  });

  test('of a session are new at each sign-in, and the old one is over', async () => {
    const staff = await app.staff();
    const old = app.visitor();
    old.cookies.set('session', staff.cookies.get('session') ?? '');
    await staff.post('/api/admin/login', DEMO);
    expect(staff.cookies.get('session')).not.toBe(old.cookies.get('session'));
    expect((await old.get('/api/admin/session')).status).toBe(401);
    expect((await staff.get('/api/admin/session')).status).toBe(200);
  });

  test('are stored as hashes or not at all: the database opens nothing', async () => {
    const { visitor } = await bothCookies();
    const { db } = app.database;
    const rows = JSON.stringify([
      await db.selectFrom('sessions').selectAll().execute(),
      await db.selectFrom('orderAccess').selectAll().execute(),
      await db.selectFrom('users').selectAll().execute(),
    ]);
    expect([...visitor.cookies.keys()].sort()).toEqual(['known_browser', 'order_key', 'session']);
    for (const value of visitor.cookies.values()) expect(rows).not.toContain(value);
    expect(rows).not.toContain(DEMO.password);
    expect(rows).toContain('argon2id$19456$2$');
  });

  test('of a session end after twelve hours, or two of silence', async () => {
    const { db } = app.database;
    const hour = 3_600_000;
    const ages = [
      { createdAt: Date.now() - 11 * hour, lastSeenAt: Date.now() - hour, status: 200 },
      { createdAt: Date.now() - 12 * hour - 1000, lastSeenAt: Date.now(), status: 401 },
      { createdAt: Date.now() - 3 * hour, lastSeenAt: Date.now() - 2 * hour - 1000, status: 401 },
    ];
    for (const { status, ...age } of ages) {
      const staff = await app.staff();
      await db.updateTable('sessions').set(age).execute();
      expect((await staff.get('/api/admin/session')).status).toBe(status);
    }
  });
});
