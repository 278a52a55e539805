/** The process: starts the site, says where it is, and stops it on a signal. */
import { readContent } from './content.server.ts';
import { CannotStart } from './platform/config/cannot-start.server.ts';
import { readEnv } from './platform/config/env.server.ts';
import { logFault } from './platform/log.server.ts';
import { startSite } from './start-site.server.ts';

const LONGEST_STOP_MS = 9_900;
/** Ctrl-C reaches the server directly, and again through npm and the command that started it; that counts once. */
const SAME_WISH_MS = 1_000;

async function run(): Promise<void> {
  const env = readEnv(process.env);
  const content = readContent('content', env.keepMessagesDays);
  const running = await startSite(env, { content, client: 'dist/client' });
  let askedAt: number | undefined;
  const stop = async () => {
    if (askedAt !== undefined) {
      // A second signal stops at once.
      if (performance.now() - askedAt > SAME_WISH_MS) process.exit(1);
      return;
    }
    askedAt = performance.now();
    // A database that hangs must not keep the supervisor waiting.
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
    await running.stop().catch((error: unknown) => {
      logFault('stop-failed', error);
      process.exitCode = 1;
    });
    process.exit();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (env.noMoneyMoves) console.log('PAYMENTS=test: orders are taken, but no money moves');
  console.log(`Ready on ${running.address}`);
  await running.site.preparePages();
}

run().catch((error: unknown) => {
  if (error instanceof CannotStart) console.error(error.message);
  else logFault('start-failed', error);
  process.exit(1);
});
