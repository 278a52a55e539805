/**
 * Answers that are worked out when they are asked for, by the framework. Loading it takes a tenth of the start, and no
 * finished answer needs it (docs/decisions/106).
 */
import { getRequestListener, RequestError } from '@hono/node-server';
import { waitUntil } from '../wait-until.server.ts';
import { refuse } from './answer.server.ts';
import { refuseFault } from './health.server.ts';

/** `headers`: of the answers to requests that never reach `fetch`. */
export function computedAnswers(
  fetch: Parameters<typeof getRequestListener>[0],
  headers: Record<string, string>,
) {
  const message = 'The address or the Host of this request is not valid';
  let underWay = 0;
  const over = () => {
    underWay -= 1;
  };
  const answer = getRequestListener(
    (...asked) => {
      const answering = fetch(...asked);
      if (!(answering instanceof Promise)) return answering;
      underWay += 1;
      answering.then(over, over);
      return answering;
    },
    {
      errorHandler: (error) =>
        error instanceof RequestError
          ? refuse(400, message, { headers })
          : refuseFault(error, '', headers),
    },
  );
  return {
    answer,
    /** Waits for requests still being handled, including those whose client has left; for `patienceMs` at most. */
    stop: (patienceMs: number) => waitUntil(() => underWay === 0, patienceMs),
  };
}
