/**
 * Every npm command starts here, with any Node: installs the locked dependencies if they are
 * missing or stale, then runs the command with the project's own Node. Plain JavaScript without
 * dependencies, because a fresh clone has none.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [task, ...rest] = process.argv.slice(2);
/** Commands that are built like the server: the image has neither sources nor packages. */
const BUILT = ['backup', 'erase-again', 'admin-password', 'db-move', 'doctor'];
/** Commands that run from source, or build. */
const UNBUILT = ['dev', 'check', 'build-if-stale'];
/** The image has no lockfile: everything is built, and there is nothing to install. */
const isImage = !existsSync(join(root, 'package-lock.json'));

if (!isImage) install();
runTask();

function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const mark = join(root, 'node_modules/.installed-lock');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.error('Installing the locked dependencies …');
  npm('ci', '--no-audit', '--no-fund', '--ignore-scripts');
  writeFileSync(mark, lock);
}

function npm(...words) {
  const { status } = spawnSync('npm', [...words, '--loglevel=error'], {
    cwd: root,
    // Output is the command's own, such as JSON.
    stdio: ['ignore', 2, 'inherit'],
    // Build and test tools are needed even with NODE_ENV=production.
    env: { ...process.env, NODE_ENV: 'development' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function runTask() {
  // The lockfile includes Node for Linux, which Debian's npm does not link in .bin.
  const lockedBin = join(root, `node_modules/node-linux-${process.arch}/bin`);
  const path = [lockedBin, join(root, 'node_modules/.bin'), process.env.PATH];
  const env = { ...process.env, PATH: path.join(':') };
  const node = existsSync(lockedBin) ? join(lockedBin, 'node') : process.execPath;
  if (!UNBUILT.includes(task) && !isImage) {
    const built = spawnSync(node, ['scripts/build-if-stale.ts'], {
      cwd: root,
      stdio: ['inherit', 2, 'inherit'],
      env,
    });
    if (built.status !== 0) process.exit(built.status ?? 1);
  }
  const script = scriptOf(task);
  const child = spawn(node, [script, ...rest], { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

function scriptOf(name) {
  if (name === 'start') return 'dist/server/server.cjs';
  return BUILT.includes(name) ? `dist/server/${name}.cjs` : `scripts/${name}.ts`;
}
