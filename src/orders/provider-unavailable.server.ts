import { refuse } from '../platform/http/answer.server.ts';

/** Nothing is lost by asking once more: what was begun is found again. */
export function providerUnavailable(): Response {
  return refuse(503, 'Payments are unavailable right now. Please try again.', { retryAfter: 5 });
}
