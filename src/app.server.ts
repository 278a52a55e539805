/** Puts the site together: one function from a request to its answer. Tests do it the same way. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { malformedRecord, requestRecorder } from './access-log/access-record.server.ts';
import { remoteOrigins } from './content.server.ts';
import { type Features, type SiteParts, startFeatures } from './features.server.ts';
import { refuse } from './platform/http/answer.server.ts';
import { type CallContext, registerCalls, registerForms } from './platform/http/call.server.ts';
import { Cookies } from './platform/http/cookies.server.ts';
import type { FinishedAnswer } from './platform/http/finished-answer.server.ts';
import { headerSets } from './platform/http/headers.server.ts';
import { healthRoutes, refuseFault, writeProbe } from './platform/http/health.server.ts';
import type { MalformedRequest } from './platform/http/http-server.server.ts';
import { withOpenApi } from './platform/http/openapi.server.ts';
import { EVERY_CALL, RateLimits } from './platform/http/rate-limit.server.ts';
import { addressOfRequest, isHost, limitKey } from './platform/http/visitor-address.server.ts';
import { findStaff } from './staff/sessions.server.ts';

export async function createSite(parts: SiteParts) {
  const { env, content, database, publicUrl } = parts;
  const { db } = database;
  const secure = publicUrl.startsWith('https:');
  const cookies = new Cookies(secure);
  // The demo's password is public: who tries the demo should not meet limits that are meant for strangers.
  const times = env.admin.demo ? 10 : 1;
  const limits = new RateLimits(times);
  const headers = headerSets({
    secure,
    stripe: env.stripe !== null,
    pictureOrigins: remoteOrigins(content),
  });
  const features = await startFeatures(parts, { cookies, headers, limits, times });
  const calls = withOpenApi(features.calls, `${content.company.name} website`);
  const couldStore = writeProbe(db);

  const app = new Hono<{ Bindings: HttpBindings }>();
  /** Requests under way, those of clients who have left among them. */
  const underWay = new Set<Promise<void>>();
  app.use(async (_, next) => {
    const answering = next();
    underWay.add(answering);
    await answering.finally(() => underWay.delete(answering));
  });
  let ready = true;
  healthRoutes(app, headers.api, async () => ready && features.isStarted() && (await couldStore()));

  // What a call notifies people of is committed by now.
  app.on('POST', '*', async (context, next) => {
    await next();
    if (context.res.ok) features.wake();
  });
  const site: CallContext = {
    publicOrigin: publicUrl,
    hostCounts: env.publicUrl === null,
    cookies,
    limits,
    headers: headers.api,
    visitorAddress: ({ env: { incoming } }) => addressOfRequest(incoming, env.trustProxy),
    findStaff: (cookie) => findStaff(db, cookies.read(cookie, 'session')),
  };
  registerCalls(app, calls, site);
  registerForms(app, features.forms, site);
  features.pages.routes(app);

  const find = finder(features, limits, env.trustProxy);
  const compute = getRequestListener(app.fetch, {
    errorHandler: (error) =>
      error instanceof RequestError
        ? refuse(400, 'The address or the Host of this request is not valid', {
            headers: headers.api,
          })
        : refuseFault(error, '', headers.api),
  });
  const record = requestRecorder(features.take, env.trustProxy);
  return {
    app,
    /** What is finished leaves at once; everything else is answered by Hono. */
    answer(request: IncomingMessage, response: ServerResponse): void {
      record(request, response);
      const found = find(request);
      if (found) found.send(request, response);
      else void compute(request, response);
    },
    /** Every call under /api, so that a test can walk them all. */
    calls,
    recordMalformed: (request: MalformedRequest) => features.take(malformedRecord(request)),
    headers: headers.api,
    /** All that the start does with the database is done. */
    isStarted: features.isStarted,
    /** Renders every page ahead of its first request, and again whenever the content changes. */
    preparePages: features.preparePages,
    /** From now on /readyz answers 503, so that no proxy sends further visitors. */
    stopBeingReady() {
      ready = false;
      features.stopStarting();
    },
    /** Waits for what is under way, for `timeoutMs` at most. */
    async close(timeoutMs = 0): Promise<void> {
      const over = Promise.allSettled(underWay);
      await Promise.race([over, setTimeout(timeoutMs, undefined, { ref: false })]);
      await features.close();
    },
  };
}

/** Finds what is ready; a list counts toward the limit of all calls, whose refusal is Hono's. */
function finder({ lists, pages }: Features, limits: RateLimits, trustProxy: number) {
  return (request: IncomingMessage): FinishedAnswer | undefined => {
    const { method, url = '', headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !isHost(headers.host ?? '')) return undefined;
    const [path = ''] = url.split('?', 1);
    const list = lists.find(path);
    if (!list) return pages.find(path);
    const key = limitKey(addressOfRequest(request, trustProxy));
    return limits.take(EVERY_CALL, key).wait > 0 ? undefined : list;
  };
}
