import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { ownAssets, ownContent } from '../../tests/support/own-content.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { databaseForEachTest } from '../../tests/support/test-app.ts';
import { Visitor } from '../../tests/support/visitor.ts';
import { readEnv } from '../env.server.ts';
import { followWorkAccount } from '../staff/account-store.server.ts';
import { openSession } from '../staff/sessions.server.ts';
import { startSite } from '../start-site.server.ts';
import { hashPassword } from './password.server.ts';

const BY_HAND = 'set by hand, quite long';
const DEMO = 'showroom-demo';

const database = databaseForEachTest();
let site: Awaited<ReturnType<typeof startSite>> | undefined;
const visitor = () => new Visitor(site?.address ?? '');
afterEach(async () => {
  await site?.stop();
  site = undefined;
});

/** Starts or restarts the server with these variables. */
async function start(variables: Record<string, string> = {}): Promise<void> {
  await site?.stop();
  const env = readEnv({ PORT: '0', ...database.variables, ...variables });
  site = await startSite(env, { content: ownContent(), assets: ownAssets() });
}

async function canSignIn(password: string, username = 'admin'): Promise<boolean> {
  return (await visitor().post('/api/admin/login', { username, password })).status === 200;
}

async function runCommand(password: string, variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['dist/server/admin-password.cjs'], {
    env: { PATH: process.env.PATH, ...database.variables, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(password);
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('exit', resolve)),
  ]);
  return { stdout, stderr, status };
}

test('npm run admin:password sets the password while the server runs, and ends the sessions', async () => {
  const showsDemo = async () => (await visitor().get('/admin-login')).text.includes(DEMO);
  await start();
  expect(await runCommand('short')).toMatchObject({
    status: 1,
    stderr: 'A password has 12 to 1000 characters.\n',
  });
  expect(await runCommand(BY_HAND, { ADMIN_USERNAME: 'dana' })).toMatchObject({
    status: 1,
    stderr: 'There is no account dana; set ADMIN_USERNAME to the one that the server has.\n',
  });
  expect(await canSignIn(DEMO)).toBe(true);
  expect(await showsDemo()).toBe(true);

  const staff = visitor();
  await staff.post('/api/admin/login', { username: 'admin', password: DEMO });
  expect(await runCommand(`${BY_HAND}\n`)).toEqual({
    stdout: 'The password of admin is set; its sessions have ended.\n',
    stderr: '',
    status: 0,
  });
  expect((await staff.get('/api/admin/session')).status).toBe(401);
  expect(await canSignIn(DEMO)).toBe(false);
  expect(await canSignIn(BY_HAND)).toBe(true);
  // The demo credentials no longer open the account.
  expect(await showsDemo()).toBe(false);
});

test('npm run admin:password without the server’s environment does not claim to have changed its password', async () => {
  const DATA_DIR = join(temporaryFolder(), 'data');
  expect(await runCommand(BY_HAND, { DATA_DIR, DATABASE_URL: '' })).toEqual({
    stdout: '',
    stderr: `There is no database at ${DATA_DIR} (DATA_DIR): run this with the server's environment\n`,
    status: 1,
  });
});

const CLOSED = {
  ADMIN_PASSWORD: 'from the environment',
  STAFF_PASSWORD: 'off',
  PUBLIC_URL: 'http://127.0.0.1',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'site',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ALLOWED: 'roles=staff',
};

describe('after a restart', () => {
  test('the password that was set last counts, by hand or by a changed variable', async () => {
    const first = { ADMIN_PASSWORD: 'from the environment' };
    await start(first);
    await runCommand(BY_HAND);
    await start(first);
    expect(await canSignIn(BY_HAND)).toBe(true);
    expect(await canSignIn(first.ADMIN_PASSWORD)).toBe(false);
    await start();
    expect(await canSignIn(BY_HAND)).toBe(true);
    expect(await canSignIn(DEMO)).toBe(false);
    await start({ ADMIN_PASSWORD: 'another from the environment' });
    expect(await canSignIn('another from the environment')).toBe(true);
    expect(await canSignIn(BY_HAND)).toBe(false);
  });

  test('the one that was set by hand before the password sign-in was ever open counts', async () => {
    await start(CLOSED);
    await runCommand(BY_HAND, CLOSED);
    await start({ ADMIN_PASSWORD: CLOSED.ADMIN_PASSWORD });
    expect(await canSignIn(BY_HAND)).toBe(true);
    expect(await canSignIn(CLOSED.ADMIN_PASSWORD)).toBe(false);
  });

  test('with STAFF_PASSWORD=off, nobody is in by the password, and the command says why', async () => {
    await start();
    const { headers } = await visitor().post('/api/admin/login', {
      username: 'admin',
      password: DEMO,
    });
    const session = headers.get('set-cookie')?.split(';')[0] ?? '';
    await start(CLOSED);
    const { status } = await visitor().get('/api/admin/session', { Cookie: session });
    expect([status, await canSignIn(DEMO)]).toEqual([401, false]);
    expect((await runCommand(BY_HAND, CLOSED)).stdout).toMatch(/STAFF_PASSWORD is off/);
    await start({ ADMIN_PASSWORD: '' });
    expect(await canSignIn(BY_HAND)).toBe(true);
  });

  test('without the provider, nobody is in by a work account', async () => {
    await start(CLOSED);
    const facts = { name: 'Dana', publicName: null, email: null, verifiedEmail: null };
    const session = await site?.database.db.transaction().execute(async (trx) => {
      const { id } = await followWorkAccount(trx, { ...facts, externalKey: 'Dana' });
      const browser = { cookies: new Map(), headers: new Headers(), address: '192.0.2.1' };
      return openSession(trx, id, 'oidc', browser);
    });
    const status = async () =>
      (await visitor().get('/api/admin/session', { Cookie: `session=${session}` })).status;
    expect(await status()).toBe(200);
    await start();
    expect(await status()).toBe(401);
  });

  test('under another name, the demo account is gone and other accounts are still there', async () => {
    await start();
    await site?.database.db
      .insertInto('accounts')
      .values({ name: 'dana', foldedName: 'dana', passwordHash: await hashPassword(BY_HAND) })
      .execute();
    await start({ ADMIN_USERNAME: 'owner', ADMIN_PASSWORD: 'from the environment' });
    expect(await canSignIn(DEMO)).toBe(false);
    expect(await canSignIn('from the environment', 'owner')).toBe(true);
    expect(await canSignIn(BY_HAND, 'dana')).toBe(true);
  });
});
