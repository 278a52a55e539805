/**
 * Answers that are worked out when they are asked for, by the framework. Loading it takes a tenth of the start, and no
 * finished answer needs it (docs/decisions/106).
 */
import { getRequestListener, RequestError } from '@hono/node-server';
import { refuse } from './answer.server.ts';
import { refuseFault } from './health.server.ts';

/** `headers`: of the answers to requests that never reach `fetch`. */
export function computedAnswers(
  fetch: Parameters<typeof getRequestListener>[0],
  headers: Record<string, string>,
) {
  const message = 'The address or the Host of this request is not valid';
  return getRequestListener(fetch, {
    errorHandler: (error) =>
      error instanceof RequestError
        ? refuse(400, message, { headers })
        : refuseFault(error, '', headers),
  });
}
