/** The server process: starts the site, prints its address, and stops it on a signal. */
import { spawn } from 'node:child_process';
import { refuseExample } from './app.server.ts';
import { localDate } from './company/days.ts';
import { type Content, readContent } from './content.server.ts';
import { type Env, readEnv } from './env.server.ts';
import { CannotStart, CannotStartYet } from './platform/config/cannot-start.server.ts';
import { appliedMigrations, openUnmigrated } from './platform/database/database.server.ts';
import { readBuiltAssets } from './platform/http/assets.server.ts';
import { logFault } from './platform/log.server.ts';
import { startSite } from './start-site.server.ts';
import { datedAhead } from './text-pages/published.server.ts';

const STOP_TIMEOUT_MS = 9_900;
/** Ctrl-C reaches the server twice, once through npm: signals this close count as one. */
const SAME_SIGNAL_MS = 1_000;

// The site goes on without whoever reads its output, such as a log shipper that has ended.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

async function run(): Promise<void> {
  const env = readEnv(process.env);
  const content = readContent(env.contentDir, env.keepMessagesDays);
  const assets = readBuiltAssets('dist/client');
  if (process.argv.includes('--check')) return checkStart(env, content);
  const running = await startSite(env, { content, assets });
  let signaledAt: number | undefined;
  const stop = async () => {
    if (signaledAt !== undefined) {
      // A second signal stops the process at once.
      if (performance.now() - signaledAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    signaledAt = performance.now();
    // A hanging database must not delay the exit until the supervisor kills the process.
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await running.stop().catch((error: unknown) => {
      logFault('stop-failed', error);
      process.exitCode = 1;
    });
    process.exit();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (env.systemd) keepTelling(env.systemd);
  if (env.testPayments) console.log('PAYMENTS=test: orders are taken, but no money moves');
  for (const { path, date } of datedAhead(content, localDate(content.company, Date.now())))
    console.log(`Dated ahead: ${path} on ${date}`);
  console.log(`Ready on ${running.address}`);
  await running.site.preparePages();
}

/** For deploy/upgrade, before anything stops: throws what would keep this version from starting. */
async function checkStart(env: Env, content: Content): Promise<void> {
  const database = await openUnmigrated(env, { alongsideServer: true });
  try {
    const { db } = database;
    if ((await appliedMigrations(database)).length > 0)
      await refuseExample({ env, company: content.company, db });
  } finally {
    await database.close();
  }
  console.log('This version can start here');
}

/** Node cannot write to systemd's socket. A process that hangs does not tell, and is replaced. */
function keepTelling({ watchdogMs }: { watchdogMs: number }): void {
  const tell = (state: string) =>
    spawn('systemd-notify', [state], { stdio: 'ignore' }).on('error', (error) =>
      logFault('systemd-not-told', error),
    );
  tell('READY=1');
  if (watchdogMs > 0) setInterval(() => tell('WATCHDOG=1'), watchdogMs / 3).unref();
}

/** EX_CONFIG of sysexits.h: deploy/site.service waits until somebody has mended it. */
const MISCONFIGURED = 78;

run().catch((error: unknown) => {
  if (!(error instanceof CannotStart)) {
    logFault('start-failed', error);
    process.exit(1);
  }
  console.error(error.message);
  process.exit(error instanceof CannotStartYet ? 1 : MISCONFIGURED);
});
