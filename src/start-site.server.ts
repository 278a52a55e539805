/** Configuration and content → database → site → listening, and back again. The server and the tests start it alike. */
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSite } from './app.server.ts';
import type { Content } from './content.server.ts';
import { readBuiltAssets } from './platform/assets/assets.server.ts';
import { openDatabase } from './platform/database/database.server.ts';
import type { Env } from './platform/env/env.server.ts';
import { PlainAnswers } from './platform/http/finished/plain-answers.server.ts';
import { listen, listeningOrigin, stopListening } from './platform/http/http-server.server.ts';
import { answerMalformed } from './platform/http/malformed-requests.server.ts';
import type { MeasuredResponse } from './platform/http/measured-response.server.ts';

/** How long requests in flight may take once the site has been asked to stop. */
const FINISH_MS = 9_000;

type Listener = (request: IncomingMessage, response: MeasuredResponse) => void;

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
  // A proxy that reuses connections must be the one who closes them, or it loses requests.
  const idleSeconds = env.trustProxy > 0 ? 65 : 5;
  const plain = new PlainAnswers(idleSeconds, env.trustProxy);
  const server = await listen(env.host, env.port, idleSeconds, plain.answer).catch(
    async (error) => {
      await database.close();
      throw error;
    },
  );
  const address = listeningOrigin(server, env.host);
  const publicUrl = env.publicUrl ?? address;
  const answering = Promise.withResolvers<Listener>();
  // Requests between listening and being ready wait for the few milliseconds that are missing.
  const wait: Listener = (request, response) =>
    answering.promise.then((answer) => answer(request, response));
  server.on('request', wait);
  const site = await createSite({ env, content, database, publicUrl, assets });
  const computed = nextTurn().then(async () => {
    const { computedAnswers } = await import('./platform/http/computed-answers.server.ts');
    return computedAnswers(site.app.fetch, site.headers);
  });
  const answer: Listener = (request, response) => {
    site.record(request, response);
    if (!site.sendFinished(request, response))
      computed.then(({ answer }) => answer(request, response));
  };
  answering.resolve(answer);
  server.off('request', wait).on('request', answer);
  plain.site = site.plain;
  answerMalformed(server, site);
  return {
    /** The origin that it listens on. */
    address,
    site,
    database,
    async stop(): Promise<void> {
      site.stopBeingReady();
      const end = performance.now() + FINISH_MS;
      const left = () => Math.max(end - performance.now(), 0);
      await plain.stop(left());
      await stopListening(server, left());
      await (await computed).stop(left());
      await site.close();
    },
  };
}
