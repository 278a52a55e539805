/** Puts the site together: one function from a request to its answer. Tests do it the same way. */
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import {
  malformedRecord,
  plainRecorder,
  requestRecorder,
} from './access-log/record-requests.server.ts';
import { findStaff } from './admin/session-store.server.ts';
import { receiveForm } from './contact/receive-form.server.ts';
import { remoteOrigins } from './content.server.ts';
import { type Features, type SiteParts, startFeatures } from './features.server.ts';
import { writeTrial } from './platform/database/write-trial.server.ts';
import { Allowances } from './platform/http/allowances.server.ts';
import { apiFrame } from './platform/http/api-frame.server.ts';
import {
  answerCall,
  type Call,
  type CallContext,
  registerCalls,
} from './platform/http/call.server.ts';
import type { Asked } from './platform/http/capped-body.server.ts';
import { Cookies } from './platform/http/cookies.server.ts';
import type { PlainSite } from './platform/http/finished/plain-answers.server.ts';
import {
  type FindFinished,
  finishedSender,
} from './platform/http/finished/send-finished.server.ts';
import { headerSets } from './platform/http/headers/headers.server.ts';
import { healthRoutes, refuseFault } from './platform/http/health.server.ts';
import type { MalformedRequest } from './platform/http/malformed-requests.server.ts';
import { withOpenApi } from './platform/http/openapi.server.ts';
import { EVERY_CALL, RateLimits } from './platform/http/rate-limit.server.ts';
import { limitKey, visitorAddress } from './platform/http/visitor-address.server.ts';
import { receiveCheck } from './safeguards/receive-check.server.ts';

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
  const features = await startFeatures(parts, { cookies, headers, times });
  const calls = withOpenApi(features.calls, `${content.company.name} website`);
  const couldStore = writeTrial(db);

  const app = new Hono<{ Bindings: HttpBindings }>();
  let ready = true;
  healthRoutes(app, headers.api, async () => ready && features.isStarted() && (await couldStore()));

  // What a call notifies people of is committed by now.
  app.on('POST', '*', async (context, next) => {
    await next();
    if (context.res.ok) features.wake();
  });
  apiFrame(app, headers.api);
  const deps = callContext(parts, cookies, limits);
  registerCalls(app, calls, deps);
  const ask = (call: Call, context: Context, asked: Asked) =>
    answerCall(call, context, deps, asked).catch((error) =>
      refuseFault(error, context.req.path, headers.api),
    );
  receiveForm(app, {
    receive: (context, asked) => ask(features.contactCall, context, asked),
    headers: headers.site,
    ...features.pages.contact,
  });
  const { safeguards: check } = content;
  receiveCheck(app, { check, reportCall: features.reportCall, ask, ...features.pages.safeguards });
  features.pages.routes(app);

  const find = finder(features, limits);
  const plain: PlainSite = { find, record: plainRecorder(features.take) };
  return {
    app,
    /** Answers a request of which the answer is ready; false when it is for `app`. */
    sendFinished: finishedSender(find, env.trustProxy),
    /** For requests that are answered before they are parsed. */
    plain,
    /** Every call under /api, so that a test can walk them all. */
    calls,
    /** To be told of each request before it is answered, and of those that cannot be read. */
    record: requestRecorder(features.take, env.trustProxy),
    recordMalformed: (request: MalformedRequest) => features.take(malformedRecord(request)),
    headers: headers.api,
    /** All that the start does with the database is done. */
    isStarted: features.isStarted,
    /** From now on /readyz answers 503, so that no proxy sends further visitors. */
    stopBeingReady() {
      ready = false;
      features.stopStarting();
    },
    close: features.close,
  };
}

/**
 * Finds what is ready; a call among it counts toward the limit of all calls, whose refusal is the framework's. So is the
 * answer to a fault: thrown here, before the framework, one page that cannot be drawn would end the server.
 */
function finder({ lists, pages }: Features, limits: RateLimits): FindFinished {
  return (path, visitor) => {
    try {
      const list = lists(path);
      if (!list) return pages.find(path);
      return limits.take(EVERY_CALL, limitKey(visitor())).wait > 0 ? undefined : list;
    } catch {
      return undefined;
    }
  };
}

/** What calls need besides what they are about. */
function callContext(
  { env, database: { db }, publicUrl }: SiteParts,
  cookies: Cookies,
  limits: RateLimits,
): CallContext {
  return {
    publicOrigin: publicUrl,
    hostCounts: env.publicUrl === null,
    cookies,
    limits,
    allowances: new Allowances(limits),
    visitorAddress: ({ env: bindings, req }) =>
      visitorAddress(
        bindings?.incoming?.socket?.remoteAddress ?? '127.0.0.1',
        req.header('x-forwarded-for'),
        env.trustProxy,
      ),
    findStaff: (cookie) => findStaff(db, cookies.read(cookie, 'session')),
  };
}
