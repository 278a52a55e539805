/** No script reads the site's cookies, no other site sends them, and no host plants them. */
import { describe, expect, test } from 'vitest';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { ownTestApp, sharedTestApp } from '../../support/test-app.ts';

const DEMO = { username: 'admin', password: 'showroom-demo' };
const TOKEN = '[\\w-]{43}';
const SIGNED = `[\\w-]{22}\\.${TOKEN}`;

describe('the cookies of orders and staff', () => {
  const app = sharedTestApp();

  async function bothCookies(visitor = app.visitor(), origin = app.address) {
    const headers = { Origin: origin };
    const order = await visitor.post('/api/create-payment-intent', SAMPLE_ORDER, headers);
    const session = await visitor.post('/api/admin/login', DEMO, headers);
    const lines = [...order.headers.getSetCookie(), ...session.headers.getSetCookie()];
    return { visitor, lines, orderId: order.json.orderId };
  }

  const expected = (prefix: string, rest: string) => [
    expect.stringMatching(`^${prefix}order_key=${TOKEN}; Max-Age=7776000; ${rest}$`),
    expect.stringMatching(`^${prefix}session=${TOKEN}; Max-Age=43200; ${rest}$`),
    expect.stringMatching(`^${prefix}known_browser=${SIGNED}; Max-Age=31536000; ${rest}$`),
  ];

  test('are HttpOnly and SameSite=Lax on loopback', async () => {
    const { lines } = await bothCookies();
    expect(lines).toEqual(expected('', 'Path=/; HttpOnly; SameSite=Lax'));
  });

  test('are Secure and bound to the host over https, and every answer carries HSTS', async () => {
    const origin = 'https://www.tidewell.example';
    const secure = await ownTestApp({ PUBLIC_URL: origin, PAYMENTS: 'test' });
    const { visitor, lines, orderId } = await bothCookies(secure.visitor(), origin);
    expect(lines).toEqual(expected('__Host-', 'Path=/; HttpOnly; Secure; SameSite=Lax'));
    const order404 = '/api/orders/999';
    for (const path of ['/', '/checkout', '/nowhere', '/api/plans', order404, '/healthz']) {
      const { headers } = await visitor.get(path);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=63072000']);
    }
    // A neighbouring host could set a cookie without the prefix, so that one gives no access.
    const neighbour = secure.visitor();
    for (const [name, value] of visitor.cookies) {
      neighbour.cookies.set(name.replace('__Host-', ''), value);
    }
    expect((await neighbour.get(`/api/orders/${orderId}`)).status).toBe(404);
    expect((await neighbour.get('/api/admin/session')).status).toBe(401);
  });

  test('cannot be read from the database, which holds hashes only', async () => {
    const { visitor } = await bothCookies();
    const { db } = app.database;
    const rows = JSON.stringify([
      await db.selectFrom('sessions').selectAll().execute(),
      await db.selectFrom('orderAccess').selectAll().execute(),
      await db.selectFrom('accounts').selectAll().execute(),
    ]);
    expect([...visitor.cookies.keys()].sort()).toEqual(['known_browser', 'order_key', 'session']);
    for (const value of visitor.cookies.values()) expect(rows).not.toContain(value);
    expect(rows).not.toContain(DEMO.password);
    expect(rows).toContain('argon2id$19456$2$');
  });
});
