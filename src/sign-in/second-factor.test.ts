/** The authenticator beside the password, with a fake clock: each code is accepted once. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  codeNow,
  confirm,
  newSecretFor,
  PASSWORD,
  setUpAuthenticator,
} from '../../tests/support/authenticator.ts';
import { executedStatements } from '../../tests/support/executed-statements.ts';
import { DESK } from '../../tests/support/mailbox.ts';
import { notifiedSite } from '../../tests/support/notified-site.ts';
import { OWN_PASSWORD, ownTestApp, sharedTestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { HOUR_MS } from '../platform/time.ts';
import { NO_SECOND_FACTOR, setPassword, syncAdminAccount } from './password-account.server.ts';

const app = sharedTestApp(OWN_PASSWORD);
let hours = 0;
beforeEach(async () => {
  hours += 2;
  const { db } = app.database;
  await db.updateTable('accounts').set(NO_SECOND_FACTOR).execute();
  for (const table of ['sessions', 'audit'] as const) await db.deleteFrom(table).execute();
  // Ten seconds into a step, so that a phone's clock may be off by a known number of them.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  vi.setSystemTime(Math.ceil(Date.now() / 30_000) * 30_000 + 10_000);
  // Failures of the tests before are over.
  vi.advanceTimersByTime(hours * HOUR_MS);
  onTestFinished(() => void vi.useRealTimers());
});

const signIn = (code?: string, { password = PASSWORD, as = app.visitor() } = {}) =>
  as.post('/api/admin/login', { username: 'admin', password, code });
const statusOf = async (code?: string) => (await signIn(code)).status;
const nextCode = () => vi.setSystemTime(Date.now() + 30_000);
const forgetFailures = () => vi.advanceTimersByTime(15 * 60_000);
const stateOf = async (staff: Visitor) => (await staff.get('/api/admin/second-factor')).json;
const kinds = async () => {
  const rows = await app.database.db.selectFrom('audit').select('kind').orderBy('id').execute();
  return rows.map(({ kind }) => kind);
};

const REFUSED = { message: 'Invalid username or password' };

describe('a member of staff with an authenticator', () => {
  test('needs the password and a code, each code once', async () => {
    const { secret } = await setUpAuthenticator(await app.staff());
    expect(await statusOf(codeNow(secret))).toBe(401);
    nextCode();
    const code = codeNow(secret);
    for (const wrong of [undefined, '', '000000']) expect(await statusOf(wrong)).toBe(401);
    expect(await statusOf(` ${code.slice(0, 3)} ${code.slice(3)}`)).toBe(200);
    expect(await statusOf(code)).toBe(401);
  });

  test('who types the code of the set-up again reads to wait for the next one, if the password is right', async () => {
    const staff = await app.staff();
    const { secret } = await setUpAuthenticator(staff);
    const code = codeNow(secret);
    const WAIT = { message: 'This code has been used. Please wait for the next code of the app.' };
    expect((await signIn(code)).json).toEqual(WAIT);
    expect((await signIn(code, { password: 'wrong' })).json).toEqual(REFUSED);
    const renewed = await staff.post('/api/admin/second-factor/recovery-codes', {
      ...{ password: PASSWORD, code },
    });
    expect([renewed.status, renewed.json]).toEqual([403, WAIT]);
    nextCode();
    expect(await statusOf(codeNow(secret))).toBe(200);
  });

  test('is known in no browser that signed in before the authenticator changed', async () => {
    const [before, staff] = [await app.staff(), await app.staff()];
    const known = (who: Visitor) => who.cookies.get('known_browser') ?? '';
    const wrong = { password: 'wrong' };
    /** Strangers have used up the attempts of the name. */
    const isKnown = async (cookie: string) => {
      for (let times = 0; times < 10; times += 1) await signIn('', wrong);
      const browser = app.visitor();
      browser.cookies.set('known_browser', cookie);
      const { status } = await signIn('', { ...wrong, as: browser });
      forgetFailures();
      return status !== 429;
    };
    const old = known(before);
    expect(await isKnown(old)).toBe(true);
    const { secret } = await setUpAuthenticator(staff);
    const since = known(staff);
    expect([await isKnown(old), await isKnown(since)]).toEqual([false, true]);
    nextCode();
    const body = { password: PASSWORD, code: codeNow(secret) };
    expect((await staff.post('/api/admin/second-factor/remove', body)).status).toBe(204);
    expect([await isKnown(old), await isKnown(since)]).toEqual([false, false]);
    expect(await isKnown(known(staff))).toBe(true);
  });

  test('has ten wrong codes in all, in however many browsers it is known', async () => {
    const { secret } = await setUpAuthenticator(await app.staff());
    const browsers: Visitor[] = [];
    for (let count = 0; count < 4; count += 1) {
      nextCode();
      const browser = app.visitor();
      expect((await signIn(codeNow(secret), { as: browser })).status).toBe(200);
      browsers.push(browser);
    }
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1)
      statuses.push((await signIn('000000', { as: browsers[count % 4] })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test('who lost the phone gets in with each recovery code once, typed with or without dashes', async () => {
    const staff = await app.staff();
    const { recoveryCodes } = await setUpAuthenticator(staff);
    expect(recoveryCodes).toHaveLength(10);
    const [first = '', second = '', ...others] = recoveryCodes;
    expect(await statusOf(first)).toBe(200);
    expect(await statusOf(first)).toBe(401);
    expect(await statusOf(second.replaceAll('-', ' – '))).toBe(200);
    expect(await kinds()).toContain('recovery-code-used');
    for (const code of others) expect(await statusOf(code.replaceAll('-', ''))).toBe(200);
    expect(await stateOf(staff)).toEqual({ state: 'on', recoveryCodes: 0 });
    expect(await statusOf(second)).toBe(401);
  });

  test('makes new recovery codes, and the old ones stop working', async () => {
    const staff = await app.staff();
    const { secret, recoveryCodes } = await setUpAuthenticator(staff);
    nextCode();
    const renew = (code: string, password = PASSWORD) =>
      staff.post('/api/admin/second-factor/recovery-codes', { password, code });
    expect((await renew(codeNow(secret), 'wrong password')).status).toBe(403);
    const { json } = await renew(codeNow(secret));
    expect(await statusOf(recoveryCodes[0])).toBe(401);
    expect(await statusOf(json.recoveryCodes[0])).toBe(200);
  });

  test('removes it with password and code; the other sessions end, and the password is enough', async () => {
    const staff = await app.staff();
    const { secret } = await setUpAuthenticator(staff);
    nextCode();
    const other = app.visitor();
    await signIn(codeNow(secret), { as: other });
    const remove = (code: string) =>
      staff.post('/api/admin/second-factor/remove', { password: PASSWORD, code });
    expect((await remove(codeNow(secret))).status).toBe(403);
    nextCode();
    expect((await remove(codeNow(secret))).status).toBe(204);
    expect((await other.get('/api/admin/session')).status).toBe(401);
    expect((await staff.get('/api/admin/session')).status).toBe(200);
    expect(await statusOf()).toBe(200);
  });

  test('loses it with the password by npm run admin:password, and keeps it with a new ADMIN_PASSWORD', async () => {
    const { db } = app.database;
    const account = { username: 'admin', demo: false, isPublic: false };
    const hasOne = async () =>
      (await db.selectFrom('accounts').select('totpSecret').executeTakeFirstOrThrow())
        .totpSecret !== null;
    await setUpAuthenticator(await app.staff());
    await syncAdminAccount(db, { ...account, password: 'another password' });
    expect(await hasOne()).toBe(true);
    await setPassword(db, 'admin', PASSWORD);
    expect(await hasOne()).toBe(false);
    await setUpAuthenticator(await app.staff());
    // Everyone has to get in with the demo password.
    await syncAdminAccount(db, { ...account, password: 'showroom-demo', isPublic: true });
    expect(await hasOne()).toBe(false);
    await syncAdminAccount(db, { ...account, password: PASSWORD });
  });
});

describe('setting one up', () => {
  test('ends the sessions that began without it, and is audited', async () => {
    const [staff, other] = [await app.staff(), await app.staff()];
    await setUpAuthenticator(staff);
    expect((await other.get('/api/admin/session')).status).toBe(401);
    expect((await staff.get('/api/admin/session')).status).toBe(200);
    expect(await kinds()).toContain('second-factor-on');
  });

  test('and leaving before it is confirmed changes nothing', async () => {
    const staff = await app.staff();
    await newSecretFor(staff);
    expect(await stateOf(staff)).toEqual({ state: 'off', recoveryCodes: 0 });
    expect(await statusOf()).toBe(200);
  });

  test('with a code that does not match says to look at the phone’s clock', async () => {
    const staff = await app.staff();
    const secret = await newSecretFor(staff);
    const { status, json } = await confirm(staff, secret, codeNow(secret, 70_000));
    expect([status, json.errors]).toEqual([
      400,
      [{ path: 'code', message: expect.stringContaining('sets its time automatically') }],
    ]);
    expect(await stateOf(staff)).toMatchObject({ state: 'off' });
  });

  test('takes the password, which cannot be guessed with a session either', async () => {
    const staff = await app.staff();
    const secret = await newSecretFor(staff);
    const guess = () =>
      staff.post('/api/admin/second-factor', {
        secret,
        password: 'a guess',
        code: codeNow(secret),
      });
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(10).fill(403), 429]);
    expect((await confirm(staff, secret)).status).toBe(429);
  });

  test('is refused while everyone knows the password', async () => {
    const demo = await ownTestApp();
    const visitor = await demo.staff();
    expect(await stateOf(visitor)).toEqual({ state: 'demo', recoveryCodes: 0 });
    const { status, json } = await visitor.post('/api/admin/second-factor/secret');
    expect([status, json.message]).toEqual([
      409,
      'The demo password is public, so no authenticator can be set up with it.',
    ]);
  });
});

describe('a stranger', () => {
  test('learns nothing about the password from the answer or from the work: a wrong code is like a wrong password', async () => {
    await setUpAuthenticator(await app.staff());
    await signIn('000000');
    const executed = executedStatements(app);
    const tries = [];
    for (const password of [PASSWORD, 'a wrong password'])
      for (const code of ['000000', undefined]) {
        executed.length = 0;
        const { status, text } = await signIn(code, { password });
        // Failures are written later, together; what runs by itself, whenever it does.
        const later = /"(audit|accessLog)"/;
        const statements = executed.filter((sql) => !later.test(sql)).toSorted();
        tries.push({ code, status, text, statements });
      }
    const [rightWithCode, rightWithout, wrongWithCode, wrongWithout] = tries;
    expect(wrongWithCode).toEqual(rightWithCode);
    expect(wrongWithout).toEqual(rightWithout);
    expect(JSON.parse(rightWithCode?.text ?? '')).toEqual(REFUSED);
  });

  test('who knows the password cannot try codes without end', async () => {
    const { secret } = await setUpAuthenticator(await app.staff());
    for (let n = 0; n < 10; n += 1) expect(await statusOf('000000')).toBe(401);
    nextCode();
    expect(await statusOf(codeNow(secret))).toBe(429);
  });

  test('is asked for a code on the sign-in page of everyone, but only once there is an authenticator', async () => {
    const asks = async () =>
      (await app.visitor().get('/admin-login')).text.includes('"withCode":true');
    expect(await asks()).toBe(false);
    expect((await signIn(undefined, { password: 'wrong' })).json).toEqual(REFUSED);
    await setUpAuthenticator(await app.staff());
    expect(await asks()).toBe(true);
  });

  test('finds no recovery code in the database', async () => {
    const { recoveryCodes } = await setUpAuthenticator(await app.staff());
    const stored = JSON.stringify(
      await app.database.db.selectFrom('accounts').selectAll().execute(),
    );
    for (const code of recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
  });
});

describe('where an authenticator is required', () => {
  const strict = sharedTestApp({ ...OWN_PASSWORD, STAFF_SECOND_FACTOR: 'required' });

  test('who came in by the company’s own provider is not asked for one', async () => {
    const staff = await strict.staff();
    await strict.database.db.updateTable('sessions').set({ method: 'oidc' }).execute();
    expect((await staff.get('/api/admin/session')).json).toEqual({
      username: 'admin',
      workAccount: true,
    });
    expect((await staff.get('/api/admin/contacts')).status).toBe(200);
    expect((await staff.post('/api/admin/second-factor/secret')).status).toBe(409);
  });

  test('who has none can only set one up, or sign out', async () => {
    const staff = await strict.staff();
    expect((await staff.get('/api/admin/session')).json).toEqual({
      username: 'admin',
      mustSetUp: true,
    });
    const closed = strict.site.calls.filter(
      ({ access, beforeSetUp }) => access === 'staff' && !beforeSetUp,
    );
    expect(closed.length).toBeGreaterThan(20);
    for (const { method, path } of closed) {
      const address = path.replaceAll(/:\w+/g, '1');
      const { status, json } = await (method === 'GET'
        ? staff.move().get(address)
        : staff.move().post(address, {}));
      expect([path, status, json.message]).toEqual([
        path,
        403,
        'Set up an authenticator on the account page first',
      ]);
    }
    await setUpAuthenticator(staff);
    expect((await staff.get('/api/admin/session')).json).toEqual({ username: 'admin' });
    expect((await staff.get('/api/admin/contacts')).status).toBe(200);
    expect((await staff.post('/api/admin/logout')).status).toBe(204);
  });
});

describe('with mail and Teams', () => {
  const site = notifiedSite('each test', OWN_PASSWORD);

  test('staff are told that an authenticator is set up, a recovery code used, and it is removed', async () => {
    const staff = await site.app.staff();
    const { recoveryCodes } = await setUpAuthenticator(staff);
    const [code, another] = recoveryCodes;
    await signIn(code, { as: site.app.visitor() });
    const proof = { password: PASSWORD, code: another };
    expect((await staff.post('/api/admin/second-factor/remove', proof)).status).toBe(204);
    await site.allAccepted();
    const titles = ['Authenticator set up', 'Recovery code used', 'Authenticator removed'];
    const subjects = site.subjects(DESK);
    for (const title of titles) expect(subjects).toContainEqual(expect.stringContaining(title));
    expect(site.teams.accepted).toHaveLength(3);
  });
});
