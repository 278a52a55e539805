/** What came of a change that a payment provider was asked for, and how it is answered. */
import { refuse } from '../platform/http/answer.server.ts';
import type { Order } from './billed-order.server.ts';
import { isRunning } from './order-status.ts';

/** A retry would not help; the reason is for people to read. */
export interface Refused {
  refused: string;
}

/** 'unavailable': try again later. */
export type NotDone = 'unavailable' | Refused;

export type Outcome = 'done' | NotDone;

export function isNotDone(outcome: unknown): outcome is NotDone {
  const isRefused = typeof outcome === 'object' && outcome !== null && 'refused' in outcome;
  return outcome === 'unavailable' || isRefused;
}

/** Safe to retry: a payment that was started is found again. */
export function providerUnavailable(): Response {
  return refuse(503, 'Payments are unavailable right now. Please try again.', { retryAfter: 5 });
}

/** `now`: the state of what was to be changed. */
export function refuseOutcome(outcome: NotDone, now?: unknown): Response {
  return outcome === 'unavailable' ? providerUnavailable() : refuse(409, outcome.refused, { now });
}

export const COULD_NOT = 'We couldn’t make this change. Please contact us.';

export const PAID_MEANWHILE =
  'The customer has paid in the meantime. Please look at the order again.';

/** Refuses a change that was decided on an older state: who decided must look again. */
export function outdated({ status }: Pick<Order, 'status'>): Refused & { isOutdated: true } {
  const refused = isRunning(status)
    ? 'The customer has paid in the meantime, or the order was changed. Please look at it again.'
    : 'The order has changed in the meantime. Please look at it again.';
  return { refused, isOutdated: true };
}
