/** Starts and stops a site: database, HTTP server, features. */
import { createSite } from './app.server.ts';
import type { Content } from './content.server.ts';
import type { Env } from './env.server.ts';
import { openDatabase } from './platform/database/database.server.ts';
import type { BuiltAssets } from './platform/http/assets.server.ts';
import {
  listen,
  listeningOrigin,
  type ServedSite,
  stopListening,
} from './platform/http/http-server.server.ts';

/** How long requests in flight may take after a signal to stop. */
const FINISH_MS = 9_000;

interface Parts {
  content: Content;
  assets: BuiltAssets;
}

/** Rejects with CannotStart when the operator has to fix something. */
export async function startSite(env: Env, { content, assets }: Parts) {
  const metrics = env.metricsToken
    ? (await import('./platform/http/metrics.server.ts')).createMetrics(env.metricsToken)
    : null;
  const database = await openDatabase(env, { log: metrics?.countQuery });
  const created = Promise.withResolvers<ServedSite>();
  // Listens first, because without PUBLIC_URL the site's origin is the address it listens on.
  const server = await listen(env, created.promise).catch(async (error) => {
    await database.close();
    throw error;
  });
  const address = listeningOrigin(server, env.host);
  const publicUrl = env.publicUrl ?? address;
  const site = await createSite({ env, content, database, publicUrl, assets, metrics });
  created.resolve(site);
  return {
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
