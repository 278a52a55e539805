/** The image, built from the Dockerfile and run as in compose.yaml, on a read-only root. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provideBaseImage, run } from './base-image.ts';

const TAG = 'localhost/site-under-test';
const PORT = '3917';
const MINUTE_MS = 60_000;
const TOOLS = ['buildah', 'debootstrap', 'bwrap'];

describe.runIf(TOOLS.every((tool) => !spawnSync(tool, ['--version']).error))('the image', () => {
  let container: string;
  let root: string;
  /** The settings from the Dockerfile. */
  let config: {
    User: string;
    Env: string[];
    Cmd: string[];
    WorkingDir: string;
    Volumes: Record<string, object>;
  };
  let server: ChildProcess;

  /** compose.yaml's read-only root, tmpfs and dropped capabilities, by Bubblewrap. */
  function inContainer(...command: string[]): string[] {
    const env = [...config.Env, `PORT=${PORT}`, 'HOST=127.0.0.1'].flatMap((each) => {
      const [name = '', ...value] = each.split('=');
      return ['--setenv', name, value.join('=')];
    });
    const volumes = Object.keys(config.Volumes).flatMap((path) => [
      '--bind',
      join(root, path),
      path,
    ]);
    return [
      ...['--ro-bind', root, '/', '--dev', '/dev', '--proc', '/proc', ...volumes],
      ...[
        '--perms',
        '1777',
        '--tmpfs',
        '/tmp',
        '--chdir',
        config.WorkingDir,
        '--unshare-pid',
        '--die-with-parent',
      ],
      ...['--clearenv', ...env, '--', 'setpriv', `--reuid=${config.User}`, '--regid=1000'],
      ...['--clear-groups', '--bounding-set=-all', '--no-new-privs', ...command],
    ];
  }

  beforeAll(async () => {
    provideBaseImage();
    run('buildah', 'build', '--isolation', 'chroot', '--pull-never', '--tag', TAG, '.');
    container = run('buildah', 'from', '--pull-never', TAG);
    root = run('buildah', 'mount', container);
    config = JSON.parse(run('buildah', 'inspect', '--type', 'image', TAG)).OCIv1.config;
    server = spawn('bwrap', inContainer(...config.Cmd), { stdio: 'inherit' });
  }, 15 * MINUTE_MS);

  afterAll(async () => {
    if (server?.kill()) await once(server, 'exit');
    if (container) run('buildah', 'rm', container);
  });

  test('serves the home page and reports ready', async () => {
    const status = async (path: string) =>
      (await fetch(`http://127.0.0.1:${PORT}${path}`).catch(() => undefined))?.status;
    await expect.poll(() => status('/readyz')).toBe(200);
    expect(await status('/')).toBe(200);
  });

  test('runs without capabilities, and can write only to its data and /tmp', () => {
    expect(run('bwrap', ...inContainer('id', '-un'))).toBe('node');
    expect(run('bwrap', ...inContainer('grep', 'CapBnd', '/proc/self/status'))).toMatch(/\t0+$/);
    const find = 'find / -xdev -type d -writable 2>/dev/null || true';
    const writable = run('bwrap', ...inContainer('sh', '-c', find)).split('\n');
    const roots = writable.filter((path) => !path.startsWith('/storage/'));
    expect(roots.sort()).toEqual(['/storage', '/tmp']);
  });

  test('makes a safe copy for ONCE, which a restore puts in place of the database', async () => {
    expect((await fetch(`http://127.0.0.1:${PORT}/up`)).status).toBe(200);
    run('bwrap', ...inContainer('/hooks/pre-backup'));
    const copy = 'ls /storage/pre-backup/*.sqlite | wc -l';
    expect(run('bwrap', ...inContainer('sh', '-c', copy))).toBe('1');
    // As ONCE does: in another volume, before the start.
    const restore =
      'cp -r /storage /tmp/restored && sed s,/storage,/tmp/restored, /hooks/post-restore';
    const inPlace = `${restore} | sh && ls /tmp/restored/site.sqlite* /tmp/restored/pre-backup`;
    expect(run('bwrap', ...inContainer('sh', '-c', inPlace))).toMatch(/site\.sqlite\n/);
  });

  test.each([
    ['npm run backup', /site-\S+\.sqlite/],
    ['npm run doctor', /^0 errors/m],
    ['echo changed in the image | npm run admin:password', /^The password of admin is set/m],
    ['npm run db:move 2>&1 || true', /^Use: npm run db:move/m],
  ])('runs `%s`', (command, says) => {
    expect(run('bwrap', ...inContainer('sh', '-c', command))).toMatch(says);
  });

  test('contains no sources, packages or build tools', () => {
    const unwanted = '/site/src /site/node_modules /usr/bin/gcc /usr/bin/git';
    expect(run('bwrap', ...inContainer('sh', '-c', `ls -d ${unwanted} || true`))).toBe('');
  });

  test('names every part with its license', () => {
    const read = (path: string) => readFileSync(join(root, 'site/dist', path), 'utf8');
    const { components }: { components: { name: string; licenses?: object[] }[] } = JSON.parse(
      read('sbom.json'),
    );
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = new Map(components.map(({ name, licenses }) => [name, licenses]));
    for (const name of Object.keys(dependencies)) expect(named.get(name), name).toBeDefined();
    expect(read('client/.vite/geist-license.txt')).toContain('SIL OPEN FONT LICENSE');
    expect(read('server/.vite/license.md')).toMatch(/^## hono - \S+ \(MIT\)$/m);
  });

  test('takes at most 260 MB, including 220 for Debian and Node', () => {
    const [megabytes] = run('du', '-sxm', root).split('\t');
    expect(Number(megabytes)).toBeLessThanOrEqual(260);
  });
});
