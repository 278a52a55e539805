/** The account's events: recorded in order, signed, and posted to the site. */
import Stripe from 'stripe';
import { newId } from './world.ts';

export const apiVersion = '2026-10-28.endive';

export interface StandInEvent {
  id: string;
  type: string;
  created: number;
  /** A copy of the object at the time of the event. */
  object: Record<string, unknown>;
  /** Pretty-printed, as Stripe sends it. */
  body: string;
  /** Returns a signature header with the current time. */
  signature(): string;
}

const { webhooks } = new Stripe('sk_test_signing_only');

/** Returns a signature header; `timestamp` is in Unix seconds, now by default. */
export const sign = (payload: string, secret: string, timestamp?: number): string =>
  webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) });

export class EventLog {
  readonly events: StandInEvent[] = [];
  readonly #secret: string;
  readonly #onEvent: (event: StandInEvent) => void;

  constructor(secret: string, onEvent: (event: StandInEvent) => void) {
    this.#secret = secret;
    this.#onEvent = onEvent;
  }

  record(type: string, about: object, created: number): void {
    const object = structuredClone(about) as Record<string, unknown>;
    const data = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created,
      data: { object },
      livemode: false,
      type,
    };
    const body = JSON.stringify(data, null, 2);
    const signature = () => sign(body, this.#secret);
    const event = { id: data.id, type, created, object, body, signature };
    this.events.push(event);
    this.#onEvent(event);
  }
}

/** Posts an event to the webhook; returns the status, or 0 when no response came. */
const post = async (event: StandInEvent, url: string): Promise<number> => {
  const { hostname } = new URL(url);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new Error(`Events are delivered on loopback only, not to ${hostname}`);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': event.signature(),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: event.body,
      signal: AbortSignal.timeout(30_000),
    });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
};

interface DeliverOptions {
  to: string;
  /** How often each event is sent. */
  times?: number;
  /** Send all at once instead of one after another. */
  together?: boolean;
}

/** Posts events in the given order; returns the status of each response. */
export const deliver = async (
  events: readonly StandInEvent[],
  { to, times = 1, together = false }: DeliverOptions,
): Promise<number[]> => {
  const all = Array.from({ length: times }, () => events).flat();
  if (together) return Promise.all(all.map((event) => post(event, to)));
  const statuses: number[] = [];
  for (const event of all) statuses.push(await post(event, to));
  return statuses;
};

/** Posts each event soon after it happens, one after another. */
export class AutoDelivery {
  url: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  enqueue(event: StandInEvent): void {
    const { url } = this;
    if (url === null) return;
    this.#queue = this.#queue.then(async () => {
      // The response to the request that caused the event goes first.
      await new Promise((resolve) => setTimeout(resolve, 5));
      await post(event, url);
    });
  }

  async settled(): Promise<void> {
    let seen: Promise<unknown> | undefined;
    while (seen !== this.#queue) {
      seen = this.#queue;
      await seen;
    }
  }
}
