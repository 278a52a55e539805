import { describe, expect, test } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { insertSubmission } from '../../tests/support/staff-steps.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';

const RIGHT = { username: 'admin', password: OWN_PASSWORD.ADMIN_PASSWORD };
const WRONG = { username: 'admin', password: 'let me in please' };

const app = sharedTestApp(OWN_PASSWORD);

describe('a member of staff', () => {
  test('signs in, and has a session until signing out', async () => {
    const colleague = app.visitor();
    const signedIn = await colleague.post('/api/admin/login', RIGHT);
    expect([signedIn.status, signedIn.json]).toEqual([200, { username: 'admin' }]);

    expect((await colleague.get('/api/admin/session')).json).toEqual({ username: 'admin' });
    const token = colleague.cookies.get('session') ?? '';
    expect((await colleague.post('/api/admin/logout')).status).toBe(204);
    expect(colleague.cookies.has('session')).toBe(false);

    colleague.cookies.set('session', token);
    expect((await colleague.get('/api/admin/session')).status).toBe(401);
  });

  test('who signs in again gets a new session, and the old one ends', async () => {
    const colleague = await app.staff();
    const first = colleague.cookies.get('session') ?? '';
    await colleague.post('/api/admin/login', RIGHT);
    expect(colleague.cookies.get('session')).not.toBe(first);
    colleague.cookies.set('session', first);
    expect((await colleague.get('/api/admin/session')).status).toBe(401);
  });

  test('can sign in more often than the limit of failures', async () => {
    const colleague = app.visitor();
    for (let n = 0; n < 12; n += 1) {
      expect((await colleague.post('/api/admin/login', RIGHT)).status).toBe(200);
    }
  });
});

describe('a stranger', () => {
  test.each([
    ['a wrong password', WRONG],
    ['an unknown name', { username: 'unknown', password: RIGHT.password }],
  ])('with %s is refused without learning whether the name exists', async (_, credentials) => {
    const { status, json, headers } = await app.visitor().post('/api/admin/login', credentials);
    expect([status, json]).toEqual([401, { message: 'Invalid username or password' }]);
    expect(headers.get('set-cookie')).toBeNull();
  });
});

describe('on the account page, staff', () => {
  test('see each sign-in, failure and sign-out, with a shortened address', async () => {
    const colleague = app.visitor();
    colleague.address = '203.0.113.77';
    await colleague.post('/api/admin/login', WRONG);
    await colleague.post('/api/admin/login', RIGHT);
    await colleague.post('/api/admin/logout');
    const staff = await app.staff();
    const kinds = ['signed-out', 'signed-in', 'sign-in-failed'];
    await eventually(async () => {
      const { json } = await staff.get('/api/admin/audit');
      const mine = json.entries.filter(
        (entry: { address: string }) => entry.address === '203.0.113.x',
      );
      expect(mine).toMatchObject(kinds.map((kind) => ({ kind })));
      expect(JSON.stringify(json)).not.toContain('203.0.113.77');
    });
  });
});

test('staff pages are sent to anyone, and contain nothing personal', async () => {
  await insertSubmission(app, { name: 'Dana Whitfield' });
  for (const path of ['/admin-login', '/admin', '/admin/logs', '/admin/account']) {
    const { text } = await app.visitor().get(path);
    expect(text).toContain('Loading…');
    expect(text).not.toContain('Dana');
    expect(text).toMatch(/<noscript><p[^>]*>The staff area needs JavaScript\./);
  }
  expect((await app.visitor().get('/admin/')).headers.get('location')).toBe('/admin');
  expect((await app.visitor().get('/admin/nothing-here')).status).toBe(404);
});
