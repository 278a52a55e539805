/**
 * The fetch of Stripe's library. A lost connection, a time-out or a failure of Stripe's own is overcome by sending the
 * same request again, under the same idempotency key, as long as somebody waits for the answer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { patienceEnds } from '../../platform/http/patience.server.ts';

/** So short that another try fits into a visitor's patience. */
const ONE_TRY_MS = 3_000;
const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 250;
/** Stripe asks to be left alone for a while, and names how long if it knows. */
const BUSY_PAUSE_MS = 1_000;
/** An earlier try of the same request is still at work; its answer is kept for the next one. */
const AT_WORK_PAUSE_MS = 500;

export async function patientFetch(
  address: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const end = patienceEnds();
  for (let tries = 1; ; tries += 1) {
    const left = end - performance.now();
    if (left <= 0) throw new Error('nobody waits for the answer any more');
    const tried = await tryOnce(address, init, Math.ceil(Math.min(left, ONE_TRY_MS)));
    const least = tried instanceof Response ? pauseAfter(tried, tries) : pauseAfterFault(tries);
    const wait = spread(least ?? Number.POSITIVE_INFINITY);
    if (performance.now() + wait >= end) {
      if (tried instanceof Response) return tried;
      throw tried;
    }
    await pause(wait);
  }
}

/** The whole answer, body included, or why there is none. */
async function tryOnce(
  address: string | URL | Request,
  init: RequestInit | undefined,
  ms: number,
): Promise<Response | Error> {
  try {
    const signal = AbortSignal.timeout(ms);
    const response = await fetch(address, { ...init, signal, redirect: 'manual' });
    const { status, headers } = response;
    return new Response(await response.text(), { status, headers });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Milliseconds until the next try; undefined when this answer is the last word. */
export function pauseAfter({ status, headers }: Response, tries: number): number | undefined {
  const advice = headers.get('stripe-should-retry');
  if (status < 400 || advice === 'false') return undefined;
  if (status === 409) return AT_WORK_PAUSE_MS;
  if (status === 429) {
    const seconds = Number(headers.get('retry-after'));
    return tries === 1 ? Math.max(seconds * 1000 || 0, BUSY_PAUSE_MS) : undefined;
  }
  return status >= 500 || advice === 'true' ? pauseAfterFault(tries) : undefined;
}

export function pauseAfterFault(tries: number): number | undefined {
  return tries < MOST_TRIES ? FIRST_PAUSE_MS * 2 ** (tries - 1) : undefined;
}

/** Up to a quarter more: what failed together should not come back together. */
export function spread(ms: number): number {
  return ms * (1 + Math.random() / 4);
}
