/** How long sessions last and what the audit keeps, with a fake clock. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { setPassword } from '../sign-in/password-account.server.ts';
import { deleteExpired } from './sessions.server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const app = sharedTestApp(OWN_PASSWORD);
beforeEach(async () => {
  await app.database.db.deleteFrom('sessions').execute();
  await app.database.db.deleteFrom('audit').execute();
  vi.useFakeTimers({ toFake: ['Date'] });
});

const sessions = () => app.database.db.selectFrom('sessions').selectAll().execute();
const backdate = (session: { createdAt?: number; lastSeenAt?: number }) =>
  app.database.db.updateTable('sessions').set(session).execute();
const isSignedIn = async (colleague: Visitor) =>
  (await colleague.get('/api/admin/session')).status === 200;

describe('a session', () => {
  test.each([
    ['after 12 hours', 'createdAt', 12 * HOUR],
    ['after two idle hours', 'lastSeenAt', 2 * HOUR],
    // Once after its start the site itself deletes what has expired, perhaps amid a try.
  ] as const)('ends %s, and not a millisecond earlier', { retry: 1 }, async (_, field, length) => {
    const colleague = await app.staff();
    const now = Date.now();
    await backdate({ [field]: now - length + 1 });
    await deleteExpired(app.database.db);
    expect(await isSignedIn(colleague)).toBe(true);
    await backdate({ [field]: now - length });
    expect(await isSignedIn(colleague)).toBe(false);
    expect(await sessions()).toHaveLength(1);
    await deleteExpired(app.database.db);
    expect(await sessions()).toEqual([]);
  });

  test('that is used stays open, and keeps no other of its account open', async () => {
    const [used, idle] = [await app.staff(), await app.staff()];
    const now = Date.now();
    await backdate({ lastSeenAt: now - 2 * HOUR + 1 });
    expect(await isSignedIn(used)).toBe(true);
    vi.setSystemTime(now + 1);
    expect([await isSignedIn(used), await isSignedIn(idle)]).toEqual([true, false]);
  });

  test('is not prolonged by what a page asks by itself', async () => {
    const colleague = await app.staff();
    const now = Date.now();
    await backdate({ lastSeenAt: now - 2 * HOUR + 1 });
    const hidden = { 'X-Unattended': 'true' };
    expect((await colleague.get('/api/admin/session', hidden)).status).toBe(200);
    vi.setSystemTime(now + 1);
    expect((await colleague.get('/api/admin/session', hidden)).status).toBe(401);
  });

  test('is stored with the user agent and a shortened address', async () => {
    const colleague = app.visitor();
    colleague.address = '203.0.113.77';
    await colleague.post(
      '/api/admin/login',
      { username: 'admin', password: OWN_PASSWORD.ADMIN_PASSWORD },
      { 'User-Agent': 'x'.repeat(301) },
    );
    const stored = { userAgent: 'x'.repeat(300), address: '203.0.113.x' };
    expect(await sessions()).toMatchObject([stored]);
  });

  test('and its work account are deleted a year after the last sign-in, unless blocked', async () => {
    const { db } = app.database;
    const account = { passwordHash: '', signedInAt: Date.now() - YEAR - 1000 };
    const called = (name: string) => ({ name, foldedName: name, externalKey: name });
    await db
      .insertInto('accounts')
      .values([
        { ...account, ...called('left') },
        { ...account, ...called('blocked'), blockedAt: 1 },
        { ...account, ...called('here'), signedInAt: Date.now() },
      ])
      .execute();
    await deleteExpired(db);
    const work = db.selectFrom('accounts').select('name').where('externalKey', 'is not', null);
    const kept = await work.orderBy('name').execute();
    expect(kept.map(({ name }) => name)).toEqual(['blocked', 'here']);
    await db.deleteFrom('accounts').where('externalKey', 'is not', null).execute();
  });

  test('of another account is neither listed nor ended with the other sessions', async () => {
    const { db } = app.database;
    const here = await app.staff();
    const [own] = await sessions();
    if (!own) throw new Error('no session');
    const { id: accountId } = await db
      .insertInto('accounts')
      .values({ name: 'colleague', foldedName: 'colleague', passwordHash: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const other = { ...own, accountId, tokenHash: 'x' };
    await db.insertInto('sessions').values(other).execute();
    expect((await here.get('/api/admin/sessions')).json).toHaveLength(1);
    await here.post('/api/admin/sessions/end-others');
    expect((await sessions()).map(({ tokenHash }) => tokenHash)).toContain('x');
    await db.deleteFrom('accounts').where('id', '=', accountId).execute();
  });
});

describe('the audit', () => {
  const readAudit = async () => {
    const { json } = await (await app.staff()).get('/api/admin/audit');
    return json.entries as { kind: string; detail: string }[];
  };

  test('records each ending of other sessions, with their number', async () => {
    const [here] = [await app.staff(), await app.staff(), await app.staff()];
    await here.post('/api/admin/sessions/end-others');
    await here.post('/api/admin/sessions/end-others');
    await app.staff();
    await here.post('/api/admin/sessions/end-others');
    const ended = (await readAudit()).filter(({ kind }) => kind === 'sessions-ended');
    expect(ended).toMatchObject([{ detail: 'one other session' }, { detail: '2 other sessions' }]);
  });

  test('records a password that was set by hand', async () => {
    await setPassword(app.database.db, 'admin', OWN_PASSWORD.ADMIN_PASSWORD);
    const changed = { kind: 'password-changed', detail: 'by npm run admin:password' };
    expect((await readAudit())[1]).toMatchObject(changed);
  });

  test('is kept for a year, and then deleted', async () => {
    const { db } = app.database;
    const now = Date.now();
    const row = { kind: 'signed-in', name: 'admin', address: '', detail: '' } as const;
    const rows = [now - YEAR, now - YEAR - 1].map((at) => ({ ...row, at }));
    await db.insertInto('audit').values(rows).execute();
    await deleteExpired(db);
    expect(await db.selectFrom('audit').select('at').execute()).toEqual([{ at: now - YEAR }]);
  });
});
