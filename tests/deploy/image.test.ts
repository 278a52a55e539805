/** The container image: built as the Dockerfile says, started, and looked at from inside. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provideBaseImage } from './base-image.ts';

const TAG = 'localhost/site-under-test';
const PORT = '3917';
const MINUTE_MS = 60_000;

let container = '';
let server: ChildProcess | undefined;

function buildah(...args: string[]): string {
  return execFileSync('buildah', args, { encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' }).trim();
}

/** Chroot isolation needs root, and none of the rights that a machine inside another one lacks. */
function inContainer(...command: string[]): string[] {
  const env = ['--env', `PORT=${PORT}`, '--env', 'HOST=127.0.0.1'];
  return ['run', '--isolation', 'chroot', ...env, container, '--', ...command];
}

beforeAll(async () => {
  provideBaseImage();
  buildah('build', '--isolation', 'chroot', '--pull-never', '--tag', TAG, '.');
  container = buildah('from', '--pull-never', TAG);
  server = spawn('buildah', inContainer('node', 'dist/server/server.cjs'), { stdio: 'inherit' });
}, 15 * MINUTE_MS);

afterAll(async () => {
  if (server?.kill()) await once(server, 'exit');
  if (container) buildah('rm', container);
});

test(
  'the image serves the home page and says that it is ready',
  async () => {
    const status = async (path: string) =>
      (await fetch(`http://127.0.0.1:${PORT}${path}`).catch(() => undefined))?.status;
    await expect.poll(() => status('/readyz'), { timeout: MINUTE_MS }).toBe(200);
    expect(await status('/')).toBe(200);
  },
  2 * MINUTE_MS,
);

test('the server is no root, and can write to its data, the backups and temporary folders alone', () => {
  expect(buildah(...inContainer('id', '-un'))).toBe('node');
  const writable = buildah(
    ...inContainer(
      ...['sh', '-c', 'find / -xdev -type d -writable -not -path "/proc/*" 2>/dev/null || true'],
    ),
  );
  const places = ['/data', '/site/backups', '/home/node', '/tmp', '/var/tmp', '/run/lock', '/dev'];
  const others = writable
    .split('\n')
    .filter(
      (folder) => !places.some((place) => folder === place || folder.startsWith(`${place}/`)),
    );
  expect(others).toEqual([]);
});

test(
  'npm run backup makes a checked copy inside',
  () => {
    expect(buildah(...inContainer('npm', 'run', 'backup'))).toMatch(/site-\S+\.sqlite/);
  },
  MINUTE_MS,
);

test('the image holds no sources, no packages and no tools for building', () => {
  const found = buildah(
    ...inContainer(
      ...['sh', '-c', 'ls -d /site/src /site/node_modules /usr/bin/gcc /usr/bin/git || true'],
    ),
  );
  expect(found).toBe('');
});

test('the image takes at most 260 MB, 220 of them Debian with Node', () => {
  const folder = buildah('mount', container);
  const [megabytes] = execFileSync('du', ['-sxm', folder], { encoding: 'utf8' }).split('\t');
  buildah('umount', container);
  expect(Number(megabytes)).toBeLessThanOrEqual(260);
});
