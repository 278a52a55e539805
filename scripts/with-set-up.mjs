/**
 * What `npm start`, `npm test`, `npm run dev` and `npm run bench` run first, on whatever Node a machine has:
 * installs what the lockfile names when that is missing or stale, then hands over to the project's own Node.
 * Plain JavaScript without dependencies, for on a fresh clone there is nothing else yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [task, ...rest] = process.argv.slice(2);
/** What runs beside the server is built like it, so that the image needs neither sources nor packages. */
const BUILT = ['backup', 'admin-password', 'notify-test'];
/** In the image everything is there, and nothing to install or build from. */
const isImage = !existsSync(join(root, 'package-lock.json'));

if (!isImage) install();
runTask();

function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const mark = join(root, 'node_modules/.installed-lock');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.log('Installing the locked dependencies …');
  // Not `npm ci`: it refuses a lockfile that was written where a registry had no builds for other systems.
  // This installs the same locked versions, adds this system's builds if they are missing, and saves nothing.
  npm('install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts');
  // The one package whose script is needed: it fetches Node for this processor.
  npm('rebuild', 'node', '--ignore-scripts=false');
  writeFileSync(mark, lock);
}

function npm(...words) {
  const { status } = spawnSync('npm', [...words, '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Tools for building and testing are needed even where NODE_ENV says production.
    env: { ...process.env, NODE_ENV: 'development' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function runTask() {
  const bin = join(root, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const node = isImage ? process.execPath : join(bin, 'node');
  // In development the sources themselves are served.
  if (task !== 'dev' && !isImage) {
    const built = spawnSync(node, ['scripts/build-if-stale.ts'], {
      cwd: root,
      stdio: 'inherit',
      env,
    });
    if (built.status !== 0) process.exit(built.status ?? 1);
  }
  const script = BUILT.includes(task) ? `dist/server/${task}.cjs` : `scripts/${task}.ts`;
  const child =
    task === 'start'
      ? spawnServer(node, env)
      : spawn(node, [script, ...rest], { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/** docs/decisions/003-memory.md and 106-a-quick-start.md say what the flags and variables are for. */
function spawnServer(node, env) {
  const { flags, variables } = JSON.parse(
    readFileSync(join(root, 'scripts/server-process.json'), 'utf8'),
  );
  const options = { cwd: root, stdio: 'inherit', env: { ...variables, ...env } };
  return spawn(node, [...flags, 'dist/server/server.cjs', ...rest], options);
}
