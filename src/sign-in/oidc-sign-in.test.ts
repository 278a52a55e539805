import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { captureLog, logged } from '../../tests/support/logged.ts';
import {
  type Forgery,
  outcomeOf,
  ownSiteWithProvider,
  SORTS,
  sharedSiteWithProvider,
  signInAtWork,
  type TestProvider,
  throughProvider,
} from '../../tests/support/openid-provider.ts';
import { shortenDeadlines } from '../../tests/support/short-deadlines.ts';
import { OWN_PASSWORD } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import type { StaffAccount } from '../staff/staff-api.ts';
import { isAllowed, readAccount } from './oidc-provider.server.ts';

const DANA = {
  name: 'Dana Whitfield',
  email: 'dana@tidewell.example',
  roles: ['website-staff'],
};
const CREDENTIALS = { username: 'admin', password: OWN_PASSWORD.ADMIN_PASSWORD };

const site = sharedSiteWithProvider();
beforeEach(async () => {
  const { provider, app } = site;
  provider.person = 'dana';
  provider.fault = null;
  provider.forgery = null;
  provider.sort = null;
  provider.asked.length = 0;
  provider.people.clear();
  provider.people.set('dana', DANA);
  await app.database.db.deleteFrom('accounts').where('externalKey', 'is not', null).execute();
});

const visitor = () => site.app.visitor();
const sessionOf = async (who: Visitor) => (await who.get('/api/admin/session')).status;

async function signedIn(person = 'dana'): Promise<Visitor> {
  site.provider.person = person;
  const colleague = visitor();
  expect(await signInAtWork(colleague)).toBe('in');
  return colleague;
}

async function accounts(who: Visitor): Promise<StaffAccount[]> {
  return (await who.get('/api/admin/accounts')).json;
}

/** Comes back from the provider with a query that was changed on the way. */
async function callBack(who: Visitor, change: (query: URLSearchParams) => void) {
  const callback = new URL(await throughProvider(who), who.origin);
  change(callback.searchParams);
  return who.get(callback.pathname + callback.search);
}

describe('a colleague with a work account', () => {
  test('signs in with it, and is named by it', async () => {
    const dana = await signedIn();
    expect((await dana.get('/api/admin/session')).json).toEqual({
      username: 'Dana Whitfield',
      workAccount: true,
    });
    const { json } = await dana.get('/api/admin/audit');
    expect(json.entries[0]).toMatchObject({
      kind: 'signed-in',
      name: 'Dana Whitfield',
      detail: 'work account dana@tidewell.example',
    });
  });

  test('gets a new session each time, and the old one ends', async () => {
    const dana = await signedIn();
    const first = dana.cookies.get('session') ?? '';
    expect(await signInAtWork(dana)).toBe('in');
    expect(dana.cookies.get('session')).not.toBe(first);
    dana.cookies.set('session', first);
    expect(await sessionOf(dana)).toBe(401);
  });

  test('keeps the account under a new name and address', async () => {
    await signedIn();
    site.provider.people.set('dana', {
      ...DANA,
      name: 'Dana Frost',
      email: 'frost@tidewell.example',
    });
    const [only, ...others] = await accounts(await signedIn());
    expect(only).toMatchObject({ name: 'Dana Frost', email: 'frost@tidewell.example' });
    expect(others).toEqual([]);
  });

  test('does not get the account of a predecessor who had the same address', async () => {
    await signedIn();
    site.provider.people.set('another', DANA);
    const names = (await accounts(await signedIn('another'))).map(({ name }) => name);
    expect(names).toEqual(['Dana Whitfield (2)', 'Dana Whitfield']);
  });

  test.each(['Dana Whitfield', ' dana  WHITFIELD', 'Ｄana Ｗhitfield', 'Dana\u200d Whitfield'])(
    'cannot pass for a colleague as %j',
    async (name) => {
      await signedIn();
      const other = { ...DANA, name, email: 'mallory@tidewell.example' };
      for (const [email_verified, part] of [
        [false, / \(2\)$/],
        [true, / \(mallory@tidewell\.example\)$/],
      ] as const) {
        site.provider.people.set('other', { ...other, email_verified });
        expect((await accounts(await signedIn('other')))[0]?.name).toMatch(part);
      }
    },
  );

  test('is not named by an address for another one that was verified', async () => {
    await signedIn();
    site.provider.sort = { ...SORTS.authelia, atUserinfo: ['name', 'email_verified'] };
    site.provider.people.set('other', { ...DANA, email: 'other@a.example', email_verified: true });
    site.provider.forgery = {
      claims: (claims) => ({ ...claims, email: 'ceo@tidewell.example' }),
    };
    expect((await accounts(await signedIn('other')))[0]?.name).toBe('Dana Whitfield (2)');
  });

  test('gets the name that a colleague gave up, and nothing that she did', async () => {
    await signedIn();
    site.provider.people.set('dana', { ...DANA, name: 'Dana Frost' });
    await signedIn();
    site.provider.people.set('new', DANA);
    await signedIn('new');
    const acted = site.app.database.db.selectFrom('audit').select(['accountId', 'name']);
    const [newcomer, after, before] = await acted.orderBy('id', 'desc').limit(3).execute();
    expect([newcomer?.name, after?.name, before?.name]).toEqual([
      DANA.name,
      'Dana Frost',
      DANA.name,
    ]);
    expect(before?.accountId).toBe(after?.accountId);
    expect(newcomer?.accountId).not.toBe(after?.accountId);
  });

  test('cannot pass for the account with the password', async () => {
    site.provider.people.set('dana', { ...DANA, name: 'ADMIN' });
    const dana = await signedIn();
    expect((await dana.get('/api/admin/session')).json.username).toBe('ADMIN (2)');
  });

  test.each([
    ['without name and address', {}, 'Work account'],
    ['with an unreadable name', { name: 'Da\u0000na' }, 'Work account'],
    ['with a name of another kind', { name: 7, preferred_username: 'dana' }, 'dana'],
  ])('signs in %s', async (_, claims, username) => {
    site.provider.people.set('dana', { roles: DANA.roles, ...claims });
    const dana = await signedIn();
    expect((await dana.get('/api/admin/session')).json.username).toBe(username);
  });

  test.each(Object.entries(SORTS))('signs in at %s as it is by nature', async (_, sort) => {
    const { app, provider } = await ownSiteWithProvider();
    provider.sort = sort;
    provider.people.set('dana', sort.claims);
    const dana = app.visitor();
    expect(await signInAtWork(dana)).toBe('in');
    expect((await dana.get('/api/admin/session')).json.username).toBe('Dana Whitfield');
    expect(provider.asked.filter((path) => path === 'me')).toHaveLength(
      'atUserinfo' in sort ? 1 : 0,
    );
  });

  test('signs in two tabs at once', async () => {
    const dana = visitor();
    const [one, other] = [await throughProvider(dana), await throughProvider(dana)];
    expect(outcomeOf(await dana.get(other))).toBe('in');
    expect(outcomeOf(await dana.get(one))).toBe('in');
    expect(await sessionOf(dana)).toBe(200);
  });

  test('who cancels reads that, and signs in with the next try', async () => {
    const dana = visitor();
    site.provider.person = null;
    expect(await signInAtWork(dana)).toBe('canceled');
    site.provider.person = 'dana';
    expect(await signInAtWork(dana)).toBe('in');
  });

  test('uses the password while the provider is away, and the provider once it is back', async () => {
    const dana = await signedIn();
    const callback = await throughProvider(dana);
    site.provider.fault = (response) => response.writeHead(500).end('away');
    expect(outcomeOf(await dana.get(callback))).toBe('unavailable');
    expect((await visitor().post('/api/admin/login', CREDENTIALS)).status).toBe(200);
    site.provider.fault = null;
    expect(await signInAtWork(dana)).toBe('in');
  });

  test.each([
    ['50 seconds', 'nbf', 50],
    ['five minutes, at one that sends no nbf,', 'iat', 300],
  ])('signs in although the provider’s clock is %s fast', async (_, name, seconds) => {
    site.provider.forgery = {
      claims: (claims) => ({ ...claims, [name]: Number(claims.iat) + seconds }),
    };
    await signedIn();
  });

  test('is signed out here, and then at the provider', async () => {
    const dana = await signedIn();
    await dana.post('/api/admin/logout');
    expect(await sessionOf(dana)).toBe(401);
    const { headers } = await dana.get('/api/admin/oidc/sign-out');
    expect(headers.get('location')).toBe(`${site.provider.origin}/session/end?client_id=site`);
  });
});

describe('somebody who may not enter', () => {
  test.each([
    ['no role', {}],
    ['another role', { roles: ['guest'] }],
  ])('is refused with %s', async (_, claims) => {
    site.provider.people.set('dana', { name: DANA.name, ...claims });
    const stranger = visitor();
    expect(await signInAtWork(stranger)).toBe('not-allowed');
    expect(await sessionOf(stranger)).toBe(401);
    expect(stranger.cookies.has('session')).toBe(false);
  });

  test('is in the log and the audit with what was looked for and what came', async () => {
    site.provider.people.set('dana', { ...DANA, roles: ['guest'], hd: 'other.example' });
    const lines = await logged(() => signInAtWork(visitor()));
    expect(lines).toMatchObject([
      {
        ...{ event: 'work-sign-in-failed', outcome: 'not-allowed' },
        wanted: expect.arrayContaining(['roles=website-staff', 'hd=tidewell.example']),
        got: { roles: '["guest"]', hd: '"other.example"' },
      },
    ]);
    const admin = visitor();
    await admin.post('/api/admin/login', CREDENTIALS);
    const { detail } = (await admin.get('/api/admin/audit')).json.entries[1];
    expect(detail).toContain('needs roles=website-staff');
    expect(detail).toContain('came roles: ["guest"]');
  });

  test('for too many groups is led to app roles', async () => {
    const { roles: _, ...others } = DANA;
    site.provider.people.set('dana', { ...others, _claim_names: { groups: 'src1' } });
    expect(await signInAtWork(visitor())).toBe('too-many-groups');
  });

  test('is out once the role is taken away and the sign-in tried', async () => {
    const dana = await signedIn();
    site.provider.people.set('dana', { ...DANA, roles: [] });
    expect(await signInAtWork(visitor())).toBe('not-allowed');
    expect(await sessionOf(dana)).toBe(401);
  });
});

describe('a callback', () => {
  test('opened twice lets nobody in again', async () => {
    const dana = visitor();
    const callback = await throughProvider(dana);
    const before = new Map(dana.cookies);
    expect(outcomeOf(await dana.get(callback))).toBe('in');
    await dana.post('/api/admin/logout');
    expect(outcomeOf(await dana.get(callback))).toBe('lost');
    for (const [name, value] of before) dana.cookies.set(name, value);
    expect(outcomeOf(await dana.get(callback))).toBe('used');
    expect(await sessionOf(dana)).toBe(401);
  });

  test('of somebody else signs in nobody', async () => {
    const attacker = visitor();
    const callback = await throughProvider(attacker);
    const victim = visitor();
    expect(outcomeOf(await victim.get(callback))).toBe('lost');
    await victim.get('/api/admin/oidc');
    expect(outcomeOf(await victim.get(callback))).toBe('lost');
    expect(victim.cookies.has('session')).toBe(false);
  });

  test('after more than ten minutes is too late', async () => {
    const dana = visitor();
    const callback = await throughProvider(dana);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(outcomeOf(await dana.get(callback))).toBe('lost');
  });

  test('leaves neither code nor state in the access log', async () => {
    const dana = visitor();
    const callback = await throughProvider(dana);
    await dana.get(callback);
    const code = new URL(callback, dana.origin).searchParams.get('code') ?? '';
    const logged = site.app.database.db.selectFrom('accessLog').select('url');
    const urls = async () => JSON.stringify(await logged.execute());
    await expect.poll(urls).toContain('/api/admin/oidc/callback');
    expect(await urls()).not.toContain(code);
  });

  const inMinutes = (minutes: number) => Math.floor(Date.now() / 1000) + minutes * 60;
  const claim = (name: string, value: unknown): Forgery => ({
    claims: (claims) => ({ ...claims, [name]: value }),
  });
  /** The last column: the claim that the log names, and what it says has come. */
  const FORGERIES: readonly [string, string, Forgery, [string, string]?][] = [
    ['for another nonce', 'failed', claim('nonce', 'another'), ['nonce', 'another']],
    ['without a nonce', 'failed', claim('nonce', undefined), ['nonce', 'nothing']],
    [
      'of another issuer',
      'failed',
      claim('iss', 'https://a.example'),
      ['iss', 'https://a.example'],
    ],
    ['for another site', 'failed', claim('aud', 'another'), ['aud', 'another']],
    ['for another site, too', 'failed', claim('aud', ['site', 'another'])],
    ['without a person', 'failed', claim('sub', undefined)],
    ['of a blank person', 'failed', claim('sub', ' '), ['sub', ' ']],
    ['of a person whom no database can store', 'failed', claim('sub', 'a\0b')],
    ['of a person too long for an index', 'failed', claim('sub', 'x'.repeat(10_000))],
    ['given to another site', 'failed', claim('azp', 'another')],
    ['that expired long ago', 'clock', claim('exp', 1_000_000_000), ['exp', '1000000000']],
    ['without an end', 'failed', claim('exp', undefined), ['exp', 'nothing']],
    ['that is not valid yet', 'clock', claim('nbf', inMinutes(10))],
    ['made long ago', 'clock', claim('iat', 1_000_000_000), ['iat', '1000000000']],
    ['that says it needs no signature', 'failed', { header: { alg: 'none' } }],
  ];
  test.each(FORGERIES)(
    'with a token %s lets nobody in, and the log says what was wanted and what came',
    async (_, outcome, forgery, logs) => {
      site.provider.forgery = forgery;
      const stranger = visitor();
      const log = captureLog();
      expect(await signInAtWork(stranger)).toBe(outcome);
      log.restore();
      const lines = log.lines.filter(({ event }) => event === 'work-sign-in-failed');
      const [claim, came] = logs ?? [];
      const named = claim && {
        claim,
        wanted: expect.anything(),
        got: expect.stringContaining(`${came}`),
      };
      expect(lines).toEqual([expect.objectContaining({ ...named })]);
      expect(await sessionOf(stranger)).toBe(401);
      site.provider.forgery = null;
      expect(await signInAtWork(stranger)).toBe('in');
    },
  );

  test('asked for by HEAD is refused, and still good afterwards', async () => {
    const dana = visitor();
    const callback = await throughProvider(dana);
    expect((await dana.send(callback, { method: 'HEAD' })).status).toBe(405);
    expect(outcomeOf(await dana.get(callback))).toBe('in');
  });

  test.each<[string, string, (callback: URLSearchParams) => void]>([
    ['no state', 'lost', (query) => query.delete('state')],
    ['an invented state', 'lost', (query) => query.set('state', 'x'.repeat(80))],
    ['two states', 'failed', (query) => query.append('state', 'another')],
    ['no code', 'failed', (query) => query.delete('code')],
    ['a guessed code', 'used', (query) => query.set('code', 'guessed')],
    ['two codes', 'failed', (query) => query.append('code', 'another')],
    ['another issuer', 'failed', (query) => query.set('iss', 'https://login.example')],
    ['a fault of the provider', 'unavailable', (query) => query.set('error', 'server_error')],
    ['a consent that was not given', 'canceled', (query) => query.set('error', 'consent_required')],
    ['an unknown fault', 'failed', (query) => query.set('error', '<script>')],
  ])('with %s lets nobody in, and asks for another try', async (_, outcome, change) => {
    const stranger = visitor();
    const answer = await callBack(stranger, change);
    expect([answer.status, outcomeOf(answer)]).toEqual([303, outcome]);
    expect(await sessionOf(stranger)).toBe(401);
  });
});

test('a stranger who says that the provider has a fault does not alarm staff', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const now = Date.now();
  for (const minutesAgo of [11, 0]) {
    vi.setSystemTime(now - minutesAgo * 60_000);
    await callBack(visitor(), (query) => query.set('error', 'server_error'));
  }
  const { json } = await (await site.app.staff()).get('/api/admin/faults');
  expect(json.faults).toEqual([]);
});

describe('a sign-in', () => {
  test.each<[string, NonNullable<TestProvider['fault']>]>([
    ['answers 500', (response) => response.writeHead(500).end()],
    ['has too much to do', (response) => response.writeHead(429, { 'Retry-After': '60' }).end()],
    ['answers something else', (response) => response.writeHead(200).end('<html>')],
    ['drops the connection', (response) => response.destroy()],
    ['never answers', () => undefined],
    [
      'begins its answer and never ends it',
      (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
    ],
  ])('ends with a sentence when the provider %s', async (name, fault) => {
    const { provider, app } = await ownSiteWithProvider();
    provider.fault = fault;
    shortenDeadlines();
    const expected = name.includes('something') ? 'failed' : 'unavailable';
    expect(await signInAtWork(app.visitor())).toBe(expected);
    expect((await app.visitor().get('/')).status).toBe(200);
  });

  test('asks a provider that fails once, however many begin meanwhile', async () => {
    const { provider, app } = await ownSiteWithProvider();
    provider.fault = (response) => void response.writeHead(500).end();
    const begin = async () => signInAtWork(app.visitor());
    const outcomes = await Promise.all(Array.from({ length: 20 }, begin));
    expect(new Set([...outcomes, await begin()])).toEqual(new Set(['unavailable']));
    expect(provider.asked).toHaveLength(1);
  });

  test('ends with a sentence when the provider’s document names no page to sign in', async () => {
    const { provider, app } = await ownSiteWithProvider();
    provider.document = { authorization_endpoint: undefined };
    expect(await signInAtWork(app.visitor())).toBe('failed');
  });

  test('refuses nobody while userinfo, which has the claims, is away', async () => {
    const { provider, app } = await ownSiteWithProvider();
    provider.sort = SORTS.authelia;
    provider.people.set('dana', SORTS.authelia.claims);
    provider.document = { userinfo_endpoint: 'http://127.0.0.1:1/me' };
    expect(await signInAtWork(app.visitor())).toBe('unavailable');
  });

  test('refuses who has no role, and blames no secret, where userinfo takes no token', async () => {
    const { provider, app } = await ownSiteWithProvider();
    provider.people.set('dana', { name: 'Dana Whitfield' });
    // It answers 401.
    provider.document = { userinfo_endpoint: `${app.address}/api/admin/session` };
    expect(await signInAtWork(app.visitor())).toBe('not-allowed');
  });

  test('leads nowhere but to the site’s own sign-in page', async () => {
    const dana = visitor();
    const callback = await throughProvider(dana);
    const { headers } = await dana.get(`${callback}&to=https://evil.example&work=//evil.example`, {
      'X-Forwarded-Host': 'evil.example',
    });
    expect(headers.get('location')).toBe('/admin-login?work=in');
    const begun = await dana.get('/api/admin/oidc', { 'X-Forwarded-Host': 'evil.example' });
    const { searchParams } = new URL(begun.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe(`${dana.origin}/api/admin/oidc/callback`);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
  });
});

describe('on the account page, staff', () => {
  /** A colleague with the password, one with a work account, and the ids of both. */
  async function both() {
    const admin = visitor();
    await admin.post('/api/admin/login', CREDENTIALS);
    const dana = await signedIn();
    const listed = await accounts(admin);
    const idOf = (work: boolean) => listed.find((account) => account.work === work)?.id;
    return { admin, dana, id: idOf(true), adminId: idOf(false) };
  }

  test('see who has signed in, and block a work account until they unblock it', async () => {
    const { admin, dana, id } = await both();
    expect(await accounts(admin)).toMatchObject([
      { name: 'Dana Whitfield', work: true, blocked: false, current: false },
      { name: 'admin', work: false, email: null, current: true },
    ]);
    const block = (blocked: boolean) => admin.post(`/api/admin/accounts/${id}/block`, { blocked });
    expect((await block(true)).status).toBe(204);
    expect(await sessionOf(dana)).toBe(401);
    expect(await signInAtWork(dana)).toBe('blocked');
    expect(await sessionOf(dana)).toBe(401);
    await block(false);
    expect(await signInAtWork(dana)).toBe('in');
    const { entries } = (await admin.get('/api/admin/audit')).json;
    for (const kind of ['account-blocked', 'account-unblocked']) {
      const entry = { kind, name: 'admin', detail: 'Dana Whitfield' };
      expect(entries).toContainEqual(expect.objectContaining(entry));
    }
  });

  test('can block neither themselves nor the account with the password', async () => {
    const { admin, dana, id, adminId } = await both();
    const block = (whom?: number) =>
      dana.post(`/api/admin/accounts/${whom}/block`, { blocked: true });
    expect((await block(id)).status).toBe(409);
    expect((await block(adminId)).status).toBe(404);
    expect(await sessionOf(admin)).toBe(200);
  });
});

test('with STAFF_PASSWORD=off nobody signs in with the password, and colleagues with their work accounts do', async () => {
  const { app } = await ownSiteWithProvider({ STAFF_PASSWORD: 'off' });
  expect((await app.visitor().post('/api/admin/login', CREDENTIALS)).status).toBe(403);
  expect(await signInAtWork(app.visitor())).toBe('in');
  expect((await app.visitor().get('/admin-login')).text).not.toContain('Demo credentials');
});

test.each([
  ['at Entra, whatever its address and app registration', 'sub', 'a new one', true],
  ['at Entra, only by the object id', 'oid', 'another', false],
  ['at Entra, only in the tenant', 'tid', 'another', false],
])('a colleague keeps the account %s', (_, claim, value, kept) => {
  const claims = {
    iss: 'https://login.microsoftonline.com/0aa1/v2.0',
    aud: 'site',
    iat: 0,
    exp: 0,
    sub: 'one',
    tid: '0aa1',
    oid: '7',
  };
  const key = readAccount(claims).externalKey;
  expect(
    readAccount({ ...claims, email: 'new@dealer.example', [claim]: value }).externalKey === key,
  ).toBe(kept);
});

test.each([
  ['hd', 'example.com', { hd: 'example.com' }, true],
  ['hd', 'example.com', { hd: 'example.com.evil.example' }, false],
  ['https://example.com/roles', 'staff', { 'https://example.com/roles': ['staff'] }, true],
  ['email', 'dana@example.com', { email: 'dana@example.com', email_verified: true }, true],
  ['email', 'dana@example.com', { email: 'dana@example.com' }, false],
  ['email', 'dana@example.com', { email: 'dana@example.com', email_verified: 'true' }, true],
  ['email', 'dana@example.com', { email: 'dana@example.com', email_verified: 'false' }, false],
  ['email', 'dana@example.com', { email: 'dana@example.com', email_verified: null }, false],
  ['email', 'dana@example.com', { email: 'dana@example.com', xms_edov: 1 }, true],
  [
    'email',
    'dana@example.com',
    { email: '"x,dana@example.com,"@evil.example', email_verified: true },
    false,
  ],
  ['constructor.name', 'Object', {}, false],
  ['roles.length', '1', { roles: ['1'] }, false],
  ['roles', '1', { roles: [1] }, true],
  ['level', '1', { level: 1 }, true],
  ['staff', 'true', { staff: true }, true],
  ['roles', 'staff', { roles: ['staff-guests'] }, false],
  ['roles', 'staff', { staff: true }, false],
  ['groups', 'Staff', { groups: 'Sales,Staff' }, true],
  ['groups', 'Staff', { groups: 'Sales; Staff' }, true],
  ['groups', 'Staff', { groups: 'Former Staff' }, false],
  ['groups', 'CN=Staff,DC=example', { groups: 'CN=Staff,DC=example' }, true],
  ['groups', 'Staff', { groups: 'CN=Guests,OU=Staff' }, false],
  ['groups', 'Staff', { groups: ['Former, Staff'] }, false],
])('%s=%s lets in those who have it', (claim, value, claims, expected) => {
  const all = { iss: '', sub: '', aud: '', iat: 0, exp: 0, ...claims };
  expect(isAllowed(all, [{ claim, value }])).toBe(expected);
});
