/** The container image can serve and be maintained without the sources and packages. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER, startProcess } from '../../support/server-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { OWN_PASSWORD, type TestDatabase, testDatabase } from '../../support/test-app.ts';
import { tied } from '../../support/tied.ts';
import { Visitor } from '../../support/visitor.ts';

const LAST_STAGE =
  readFileSync('Dockerfile', 'utf8')
    .split(/^FROM /m)
    .at(-1) ?? '';

let image: string;
let ground: TestDatabase;
beforeAll(async () => {
  image = temporaryFolder();
  layOut(image);
  ground = await testDatabase();
});
afterAll(() => ground.drop());

/** Copies what the Dockerfile's last stage copies, taking this folder's build for its first stage's. */
function layOut(folder: string): void {
  for (const [, words = ''] of LAST_STAGE.matchAll(/^COPY (.+)$/gm)) {
    const paths = words.split(' ').filter((word) => !word.startsWith('--'));
    const target = paths.pop() ?? '';
    // A system program.
    if (target.startsWith('/')) continue;
    for (const path of paths) {
      const source = path.replace('/site/', '');
      const name = target.endsWith('/') ? basename(source) : '';
      cpSync(source, join(folder, target, name), { recursive: true });
    }
  }
  mkdirSync(join(folder, 'backups'));
}

const variables = () => ({
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: image,
  NODE_ENV: 'production',
  ...OWN_PASSWORD,
  ...ground.variables,
  HOST: '0.0.0.0',
  PORT: '0',
});

/** Not `spawnSync`, which would block the other connections of this process. */
async function npmRun(name: string, input = '') {
  const child = spawn(...tied('npm', ['run', '--silent', name], 'TERM'), {
    cwd: image,
    env: variables(),
  });
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status, stdout, stderr };
}

describe('the image', () => {
  test('contains no packages, sources or secrets', () => {
    expect(existsSync(join(image, 'node_modules'))).toBe(false);
    expect(readdirSync(image).sort()).toEqual([
      'backups',
      'content',
      'dist',
      'package.json',
      'scripts',
    ]);
  });

  test('serves, while `npm run` changes the password and backs up the database', async () => {
    expect(JSON.parse(/^CMD (.+)$/m.exec(LAST_STAGE)?.[1] ?? '')).toEqual(['node', SERVER]);
    const server = await startProcess(SERVER, variables(), image);
    const visitor = new Visitor(server.address.replace('0.0.0.0', '127.0.0.1'));
    expect((await visitor.get('/')).text).toContain('</html>');

    expect(await npmRun('admin:password', 'changed in the image\n')).toEqual({
      status: 0,
      stdout: 'The password of admin is set; its sessions have ended.\n',
      stderr: '',
    });
    const credentials = { username: 'admin', password: 'changed in the image' };
    expect((await visitor.post('/api/admin/login', credentials)).status).toBe(200);

    const { status, stdout, stderr } = await npmRun('backup');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Backed up to backups\/site-\S+\.(sqlite|dump)\n$/);
    expect(readdirSync(join(image, 'backups'))).toHaveLength(2);

    const { code, output } = await server.stop();
    // On a busy machine the database may be unreachable for a moment, which the server logs.
    const said = output.split('\n').filter((line) => !line.includes('"catalogue-from-memory"'));
    expect([code, said]).toEqual([0, [`Ready on ${server.address}`, '']]);
  });

  test('has the doctor and the database move', async () => {
    const { status, stdout, stderr } = await npmRun('doctor');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^warning {2}teams .*TEAMS_WEBHOOK_URL is not set$/m);
    expect(await npmRun('db:move')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Use: npm run db:move/),
    });
  });
});
