/** Configuration and content → database → site → listening, and back again. The server and the tests start it alike. */
import { createSite } from './app.server.ts';
import type { Content } from './content.server.ts';
import type { Env } from './platform/config/env.server.ts';
import { openDatabase } from './platform/database/database.server.ts';
import { readBuiltAssets } from './platform/http/assets.server.ts';
import {
  type Answerer,
  listen,
  listeningOrigin,
  stopListening,
} from './platform/http/http-server.server.ts';

/** How long requests in flight may take after a signal to stop. */
const FINISH_MS = 9_000;

export type RunningSite = Awaited<ReturnType<typeof startSite>>;

interface Parts {
  content: Content;
  /** The folder with the browser's part of the build. */
  client: string;
}

/** Rejects with CannotStart when the operator has something to mend. */
export async function startSite(env: Env, { content, client }: Parts) {
  const assets = readBuiltAssets(client);
  const database = await openDatabase(env);
  const answerer = Promise.withResolvers<Answerer>();
  // The site's own origin may be the address that it listens on, so it listens first.
  const server = await listen(env, answerer.promise).catch(async (error) => {
    await database.close();
    throw error;
  });
  const address = listeningOrigin(server, env.host);
  const publicUrl = env.publicUrl ?? address;
  const site = await createSite({ env, content, database, publicUrl, assets });
  answerer.resolve(site);
  return {
    /** The origin that it listens on. */
    address,
    site,
    database,
    async stop(): Promise<void> {
      site.stopBeingReady();
      const end = performance.now() + FINISH_MS;
      await stopListening(server, FINISH_MS);
      await site.close(Math.max(end - performance.now(), 0));
    },
  };
}
