/** Answers requests: cached pages and files at once, everything else through Hono. */
import type { IncomingMessage } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { contextStorage } from 'hono/context-storage';
import { requestId } from 'hono/request-id';
import { routePath } from 'hono/route';
import { withoutSecrets } from '../access-log/access-record.server.ts';
import { registerContactForm } from '../contact/receive-form.server.ts';
import { answerFault, refuse } from '../platform/http/answer.server.ts';
import { type Call, registerCalls } from '../platform/http/call.server.ts';
import { canonicalSpelling, requestPath } from '../platform/http/canonical-path.server.ts';
import { isHost } from '../platform/http/client-ip.server.ts';
import { healthRoutes } from '../platform/http/health.server.ts';
import { CountedResponse } from '../platform/http/http-server.server.ts';
import type { Metrics } from '../platform/http/metrics.server.ts';
import type { CachedResponse } from '../platform/http/response-cache.server.ts';
import { registerUnsubscribe } from '../quotes/quote-calls.server.ts';
import type { Site } from '../site.server.ts';
import type { documents } from './documents.server.ts';

const INVALID_ADDRESS = 'The address or the Host of this request is not valid';

interface ListenerParts {
  site: Site;
  pages: Awaited<ReturnType<typeof documents>>;
  calls: readonly Call[];
  isReady(): Promise<boolean>;
  metrics: Metrics | null;
  /** Runs after each successful POST, whose notifications are committed by then. */
  afterPost(): void;
}

export function requestListener(parts: ListenerParts) {
  const { site, pages, calls, isReady, afterPost } = parts;
  const headers = site.headers.api;
  const app = new Hono<{ Bindings: HttpBindings }>();
  /** Requests in progress, including those whose client has disconnected. */
  const inProgress = new Set<Promise<void>>();
  // No id is taken from a request: with another's, its log lines would pass for that one's.
  app.use(contextStorage(), requestId({ headerName: '' }), async (context, next) => {
    const { incoming, outgoing } = context.env;
    outgoing.setHeader('X-Request-Id', context.get('requestId'));
    await next();
    if (outgoing instanceof CountedResponse)
      outgoing.route = pages.pageOf(requestPath(incoming.url ?? '')) ?? routePath(context);
  });
  app.use(async ({ req, env: { incoming } }, next) => {
    const { host = '' } = incoming.headers;
    // Balancers check by HTTP/1.0, which has no Host.
    if (!isHost(host) && (host || incoming.httpVersion !== '1.0'))
      return refuse(400, INVALID_ADDRESS, { headers });
    const path = requestPath(incoming.url ?? '');
    if (canonicalSpelling(path) !== path) return pages.answerMisspelled(path, req.raw);
    const answering = next();
    inProgress.add(answering);
    await answering.finally(() => inProgress.delete(answering));
  });
  healthRoutes(app, headers, isReady);
  parts.metrics?.routes(app, headers);
  app.on('POST', '*', async (context, next) => {
    await next();
    if (context.res.ok) afterPost();
  });
  app.onError((error, { req }) => answerFault(error, withoutSecrets(req.path), headers));
  registerCalls(app, calls, site);
  registerContactForm(app, pages.contactPage, site);
  registerUnsubscribe(app, site);
  pages.routes(app);

  const compute = getRequestListener(app.fetch, {
    // Where a request has no Host.
    hostname: 'localhost',
    errorHandler: (error) =>
      error instanceof RequestError
        ? refuse(400, INVALID_ADDRESS, { headers })
        : answerFault(error, '', headers),
  });

  function findCached(request: IncomingMessage): CachedResponse | undefined {
    const { method, url = '', headers: received } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !isHost(received.host ?? '')) return undefined;
    const [, query = ''] = url.split('?', 2);
    // The paths that are found here are canonical.
    return pages.find(requestPath(url), query);
  }

  return {
    app,
    answer(request: IncomingMessage, response: CountedResponse): void {
      // Hono would refuse a backslash; coded, it is like any other path.
      request.url = request.url?.replaceAll('\\', '%5C');
      const cached = findCached(request);
      if (cached) {
        response.route = pages.pageOf(requestPath(request.url ?? '')) ?? 'files';
        cached.send(request, response);
      } else void compute(request, response);
    },
    /** Resolves once the requests that are in progress now are answered. */
    async allAnswered(): Promise<void> {
      await Promise.allSettled(inProgress);
    },
  };
}
