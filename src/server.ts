/** The server process: starts the site, prints its address, and stops it on a signal. */
import { localDate } from './company/hours.ts';
import { readContent } from './content.server.ts';
import { readEnv } from './env.server.ts';
import { CannotStart } from './platform/config/cannot-start.server.ts';
import { readBuiltAssets } from './platform/http/assets.server.ts';
import { logFault } from './platform/log.server.ts';
import { startSite } from './start-site.server.ts';
import { waitingOn } from './text-pages/published.server.ts';

const STOP_TIMEOUT_MS = 9_900;
/** Ctrl-C reaches the server twice, once through npm: signals this close count as one. */
const SAME_SIGNAL_MS = 1_000;

// The site goes on without whoever reads its output, such as a log shipper that has ended.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

async function run(): Promise<void> {
  const env = readEnv(process.env);
  const content = readContent('content', env.keepMessagesDays);
  const assets = readBuiltAssets('dist/client');
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
  if (env.testPayments) console.log('PAYMENTS=test: orders are taken, but no money moves');
  for (const waiting of waitingOn(content, localDate(content.company, Date.now())))
    console.log(`Dated ahead: ${waiting}`);
  console.log(`Ready on ${running.address}`);
  await running.site.preparePages();
}

run().catch((error: unknown) => {
  if (error instanceof CannotStart) console.error(error.message);
  else logFault('start-failed', error);
  process.exit(1);
});
