/**
 * Upgrades of a single instance on SQLite by deploy/upgrade while customers order, from 1.0.0 to a
 * release with one more migration; that of several on PostgreSQL is in stack.test.ts. nginx is in
 * front, as deploy/nginx.conf sets it up. Programs in `stubs` take the place of systemd's and of
 * runuser.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { compareWithFinalState, startShift } from '../support/mixed-writes.ts';
import { REACHABLE_DEMO } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { useVersions } from './versions.ts';

const UPGRADE = 'deploy/upgrade';

test.each([
  [
    'stops at a relative folder of the copies',
    { DATA_DIR: '/x', BACKUP_DIR: 'copies' },
    /: BACKUP_/,
  ],
  ['needs no DATA_DIR where a file names the database', { DATABASE_URL_FILE: '/x' }, /not start/],
])('an upgrade %s', (_what, settings, says) => {
  const { upgrade } = stubbedHome(settings, { runuser: 'shift 3; exec "$@"' });
  expect(upgrade()).toEqual([1, expect.stringMatching(says)]);
});

test('an upgrade whose terminal is closed still goes back from a version that does not get ready', () => {
  const { home, env, upgrade } = stubbedHome(
    { DATA_DIR: '/x' },
    {
      runuser: 'exit 0',
      curl: 'case $(readlink $SITE_HOME/app) in */new) exit 1 ;; esac',
      systemctl: 'kill -HUP $PPID',
      journalctl: 'exit 0',
    },
  );
  expect(upgrade()).toEqual([1, expect.stringContaining('old runs again')]);
  expect(readlinkSync(join(home, 'app'))).toBe(join(home, 'old'));
  // `upgrade … 2>&1 | tee upgrade.log`: what reads its output ends with the terminal.
  spawnSync('sh', ['-c', `sh ${UPGRADE} ${join(home, 'new')} 2>&1 | true`], { env });
  expect(readlinkSync(join(home, 'app'))).toBe(join(home, 'old'));
});

test('who must leave a version that is not ready is told how', () => {
  const { upgrade } = stubbedHome({ DATA_DIR: '/x' }, { runuser: 'exit 0', curl: 'exit 1' });
  expect(upgrade()).toEqual([
    1,
    expect.stringMatching(
      /mend that first, or go on .*: ln -sfn \S+new \S+app && systemctl restart site$/m,
    ),
  ]);
});

/** An old and a new version without programs, and stubs in the place of the machine's. */
function stubbedHome(settings: Record<string, string>, stubs: Record<string, string>) {
  const home = temporaryFolder();
  const folders = { old: join(home, 'old'), new: join(home, 'new'), stubs: join(home, 'stubs') };
  for (const folder of [...Object.values(folders), join(folders.new, 'dist')]) mkdirSync(folder);
  symlinkSync(folders.old, join(home, 'app'));
  writeFileSync(join(folders.new, 'dist/.built-from'), '');
  for (const [name, script] of Object.entries(stubs))
    writeFileSync(join(folders.stubs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const lines = Object.entries({ CONTENT_DIR: '/x', ...settings });
  writeFileSync(join(home, '.env'), lines.map(([name, value]) => `${name}=${value}\n`).join(''));
  const env = { PATH: `${folders.stubs}:${process.env.PATH}`, SITE_HOME: home, SITE_WAIT: '1' };
  const upgrade = () => {
    const { status, stderr } = spawnSync('sh', [UPGRADE, folders.new], { env, encoding: 'utf8' });
    return [status, stderr];
  };
  return { home, env, upgrade };
}

describe.runIf(hasNginx())('an upgrade behind nginx, while customers order,', () => {
  const versions = useVersions();

  test('of one instance loses no order, three times, back, and from versions that do not get ready', {
    timeout: 10 * 60_000,
  }, async () => {
    const port = await freePort();
    const { origin, variables, stop } = await startNginx([port]);
    onTestFinished(() => void stop());
    const home = await installation({
      ...REACHABLE_DEMO,
      DATA_DIR: temporaryFolder(),
      ...variables,
      // Two, as if there were a network of caches in front: customers have addresses.
      ...{ DEMO_MODE: 'on', TRUST_PROXY: '2', PORT: `${port}` },
    });
    onTestFinished(home.stop);
    home.add('1.0.0', versions.previous);
    for (const name of ['1.1.0', '1.2.0', '1.3.0']) home.add(name, versions.next);
    home.add('deaf', versions.next, (bundle) => bundle.replaceAll('/readyz', '/nothing'));
    const say = 'console.log(`Ready on';
    home.add('dead', versions.next, (bundle) => bundle.replace(say, `null.thing; ${say}`));
    const step = '"orders" ("next")';
    home.add('stuck', versions.next, (bundle) => bundle.replace(step, '"orders" ("nothing")'));
    home.start('1.0.0');
    const shift = startShift(origin, 4, 'one');
    await shift.orders(20);
    for (const broken of ['stuck', 'deaf', 'dead']) {
      const { status, said } = await home.upgrade(broken);
      expect([status, said]).toEqual([1, expect.stringContaining('1.0.0 runs again')]);
      expect(home.running()).toBe('1.0.0');
    }
    for (const name of ['1.1.0', '1.2.0', '1.3.0', '1.1.0']) {
      const { status, said } = await home.upgrade(name);
      expect([status, said]).toEqual([0, expect.stringContaining(`${name} runs`)]);
      expect(home.running()).toBe(name);
      await shift.orders(20);
    }
    await shift.end();
    // Meanwhile nginx answers that nothing is there.
    expect(shift.refused.filter(({ status }) => status !== 502 && status !== 503)).toEqual([]);
    expect(await compareWithFinalState(origin, shift.acknowledged)).toEqual([]);
  });

  /** A folder as deploy/site.service has it, in which a stub takes the place of systemd. */
  async function installation(settings: Record<string, string>) {
    const home = temporaryFolder();
    const stubs = join(home, 'stubs');
    for (const name of ['stubs', 'versions']) mkdirSync(join(home, name));
    cpSync('content', join(home, 'content'), { recursive: true });
    const lines = Object.entries({ ...settings, CONTENT_DIR: join(home, 'content') });
    writeFileSync(
      join(home, '.env'),
      // As an editor of Windows saves it.
      lines.map(([name, value]) => `${name}='${value}'\r\n`).join(''),
    );
    const programs = {
      runuser: 'shift 3; exec "$@"',
      journalctl: `tail -5 ${home}/log`,
      systemctl: `cd ${home}/app; set -a; . ${home}/.env
        if [ -f ${home}/pid ]; then kill $(cat ${home}/pid); while kill -0 $(cat ${home}/pid); do sleep 0.05; done; fi 2>/dev/null
        ${process.execPath} dist/server/server.cjs > ${home}/log 2>&1 & echo $! > ${home}/pid
        until grep -q '^Ready on' ${home}/log; do kill -0 $! || exit 1; sleep 0.05; done 2>/dev/null`,
    };
    for (const [name, script] of Object.entries(programs))
      writeFileSync(join(stubs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const env = {
      PATH: `${stubs}:${process.env.PATH}`,
      SITE_HOME: home,
      SITE_WAIT: '5',
    };
    const version = (name: string) => join(home, 'versions', name);
    return {
      add(name: string, built: string, change = (bundle: string) => bundle) {
        mkdirSync(version(name));
        for (const part of ['dist', 'content', 'package.json'])
          cpSync(join(built, part), join(version(name), part), { recursive: true });
        symlinkSync(resolve('node_modules'), join(version(name), 'node_modules'));
        for (const file of globSync('dist/server/**/*.cjs', { cwd: version(name) })) {
          const path = join(version(name), file);
          const bundle = readFileSync(path, 'utf8');
          if (change(bundle) !== bundle) writeFileSync(path, change(bundle));
        }
      },
      start(name: string) {
        symlinkSync(version(name), join(home, 'app'));
        expect(spawnSync('systemctl', ['restart', 'site'], { env }).status).toBe(0);
      },
      /** Customers go on meanwhile. */
      async upgrade(name: string) {
        const running = spawn('sh', [UPGRADE, version(name)], { env });
        const said = Promise.all([text(running.stdout), text(running.stderr)]);
        const [status] = await once(running, 'exit');
        return { status, said: (await said).join('') };
      },
      running: () => readlinkSync(join(home, 'app')).split('/').at(-1),
      stop: () => void spawnSync('sh', ['-c', `kill -9 $(cat ${home}/pid)`]),
    };
  }
});
