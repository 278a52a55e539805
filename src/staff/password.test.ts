import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { testInTurn } from '../../tests/support/sized.ts';
import { type TestDatabase, testDatabase } from '../../tests/support/test-app.ts';
import { Visitor } from '../../tests/support/visitor.ts';
import { readEnv } from '../platform/config/env.server.ts';
import { type RunningSite, startSite } from '../start-site.server.ts';
import { hashPassword, passwordMatches } from './password.server.ts';

const BY_HAND = 'set by hand, quite long';
const DEMO = 'showroom-demo';

let ground: TestDatabase;
let site: RunningSite | undefined;
beforeEach(async () => {
  ground = await testDatabase();
});
afterEach(async () => {
  await site?.stop();
  site = undefined;
  await ground.drop();
});

/** Starts the server, or starts it anew, as a deployment with these variables does. */
async function start(variables: Record<string, string> = {}): Promise<void> {
  await site?.stop();
  const env = readEnv({ PORT: '0', ...ground.variables, ...variables });
  site = await startSite(env, { content: ownContent(), client: 'dist/client' });
}

async function opens(password: string, username = 'admin'): Promise<boolean> {
  const visitor = new Visitor(site?.address ?? '');
  return (await visitor.post('/api/admin/login', { username, password })).status === 200;
}

async function runCommand(password: string, variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['scripts/admin-password.ts'], {
    env: { PATH: process.env.PATH, ...ground.variables, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(password);
  const [said, complained, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('exit', resolve)),
  ]);
  return { said, complained, status };
}

describe('npm run admin:password', () => {
  test('sets the password while the server runs, and ends the sessions', async () => {
    await start();
    const colleague = new Visitor(site?.address ?? '');
    await colleague.post('/api/admin/login', { username: 'admin', password: DEMO });
    expect(await runCommand(`${BY_HAND}\n`)).toEqual({
      said: 'The password of admin is set; its sessions have ended.\n',
      complained: '',
      status: 0,
    });
    expect((await colleague.get('/api/admin/session')).status).toBe(401);
    expect(await opens(DEMO)).toBe(false);
    expect(await opens(BY_HAND)).toBe(true);
  });

  test.each([
    ['a short password', 'short', 'admin', 'A password has 12 to 1000 characters.\n'],
    [
      'an account that it does not know',
      BY_HAND,
      'dana',
      'There is no account dana; set ADMIN_USERNAME to the one that the server has.\n',
    ],
  ])('refuses %s and changes nothing', async (_, password, ADMIN_USERNAME, words) => {
    await start();
    const { status, complained } = await runCommand(password, { ADMIN_USERNAME });
    expect([status, complained]).toEqual([1, words]);
    expect(await opens(DEMO)).toBe(true);
  });
});

testInTurn(0)('an unknown name takes as much work to refuse as a wrong password', async () => {
  const stored = await hashPassword(BY_HAND);
  /** Milliseconds of the processor, of several, since others in this process work too. */
  async function work(hash: string | undefined): Promise<number> {
    const before = process.cpuUsage();
    for (let round = 0; round < 8; round += 1)
      expect(await passwordMatches('a guess', hash, 'stranger')).toBe(false);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }
  const known = await work(stored);
  expect(await work(undefined)).toBeGreaterThan(known / 3);
});

testInTurn(1)('many sign-ins at once leave threads to everybody else', async () => {
  let hashed = 0;
  const hashes = Array.from({ length: 12 }, async () => {
    await hashPassword(BY_HAND);
    hashed += 1;
  });
  await stat('.');
  expect(hashed).toBeLessThan(6);
  await Promise.all(hashes);
  // And none waits for ever.
  expect(await passwordMatches(BY_HAND, await hashPassword(BY_HAND), 'stranger')).toBe(true);
});

describe('after a restart', () => {
  test('the password set by hand still counts, with and without a variable', async () => {
    const variables = { ADMIN_PASSWORD: 'from the environment' };
    await start(variables);
    await runCommand(BY_HAND);
    await start(variables);
    expect(await opens(BY_HAND)).toBe(true);
    expect(await opens(variables.ADMIN_PASSWORD)).toBe(false);
    await start();
    expect(await opens(BY_HAND)).toBe(true);
    expect(await opens(DEMO)).toBe(false);
  });

  test('a variable that has changed counts, and ends the sessions', async () => {
    await start();
    await runCommand(BY_HAND);
    await start({ ADMIN_PASSWORD: 'from the environment' });
    expect(await opens('from the environment')).toBe(true);
    expect(await opens(BY_HAND)).toBe(false);
  });

  test('the account of a colleague is still there', async () => {
    await start();
    await site?.database.db
      .insertInto('users')
      .values({ username: 'dana', passwordHash: await hashPassword(BY_HAND) })
      .execute();
    await start({ ADMIN_USERNAME: 'owner', ADMIN_PASSWORD: 'of the environment' });
    expect(await opens(BY_HAND, 'dana')).toBe(true);
  });

  test('under another name, the demo account is gone', async () => {
    await start();
    await start({ ADMIN_USERNAME: 'dana', ADMIN_PASSWORD: 'from the environment' });
    expect(await opens(DEMO)).toBe(false);
    expect(await opens('from the environment', 'dana')).toBe(true);
  });
});

test('the sign-in page shows the demo credentials as long as they open the account', async () => {
  const shown = async () =>
    (await new Visitor(site?.address ?? '').get('/admin-login')).text.includes(DEMO);
  await start();
  expect(await shown()).toBe(true);
  await runCommand(BY_HAND);
  expect(await shown()).toBe(false);
});
