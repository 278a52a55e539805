/** The process: configuration → content → database → site → listening, and back again on a signal. */
import { getRequestListener } from '@hono/node-server';
import { createSite } from './app.server.ts';
import { readContent } from './content.server.ts';
import { readBuiltAssets } from './platform/assets.server.ts';
import { InvalidContent } from './platform/content-file.server.ts';
import { CannotStart, openDatabase } from './platform/database.server.ts';
import { InvalidEnv, readEnv } from './platform/env.server.ts';
import { listen, listeningOrigin, stopListening } from './platform/http-server.server.ts';
import { logFault } from './platform/log.server.ts';

/** How long requests in flight may take once the process has been asked to stop. */
const FINISH_MS = 9_000;

async function start(): Promise<void> {
  const env = readEnv(process.env);
  const content = readContent('content');
  const assets = readBuiltAssets('dist/client');
  const database = await openDatabase(env);
  const server = await listen(env.host, env.port, env.trustProxy > 0);
  const address = listeningOrigin(server, env.host);
  const starting = createSite({
    env,
    content,
    database,
    publicUrl: env.publicUrl ?? address,
    assets,
  });
  const listener = starting.then(({ app }) => getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  // Whoever comes between listening and being ready waits for the few milliseconds that are missing.
  server.on('request', (request, response) => listener.then((answer) => answer(request, response)));
  const site = await starting;
  server.removeAllListeners('request').on('request', await listener);

  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    site.stopBeingReady();
    await stopListening(server, FINISH_MS);
    await site.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  console.log(`Ready on ${address}`);
}

start().catch((error: unknown) => {
  const mendable = [InvalidEnv, InvalidContent, CannotStart].some((kind) => error instanceof kind);
  if (mendable && error instanceof Error) console.error(error.message);
  else logFault('start-failed', error);
  process.exit(1);
});
