/** What happened at Stripe: kept in its order, signed, and posted to where a test wants it. */
import Stripe from 'stripe';
import { newId } from './world.ts';

export const apiVersion = '2026-10-28.endive';

export interface StandInEvent {
  id: string;
  type: string;
  created: number;
  /** The object as it was when the event happened. */
  object: Record<string, unknown>;
  /** Pretty-printed, as Stripe sends it. */
  body: string;
  /** Made now, with the secret that events are signed with unless told otherwise. */
  signature(secret?: string): string;
}

const { webhooks } = new Stripe('sk_test_signing_only');

/** The header of an event, made now unless another time in Unix seconds is given. */
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
    const signature = (secret = this.#secret): string => sign(body, secret);
    const event = { id: data.id, type, created, object, body, signature };
    this.events.push(event);
    this.#onEvent(event);
  }
}

export interface Target {
  url: string;
  secret: string;
}

export interface DeliverOptions {
  to: string;
  /** How often each event is sent. */
  times?: number;
  /** All at once instead of one after the other. */
  together?: boolean;
}

export interface Delivery {
  type: string;
  /** 0 when no answer came. */
  status: number;
}

const post = async (event: StandInEvent, to: string, secret?: string): Promise<Delivery> => {
  const { hostname } = new URL(to);
  // Nothing a test does may reach another machine.
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new Error(`Events are delivered on loopback only, not to ${hostname}`);
  try {
    const response = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': event.signature(secret),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: event.body,
      signal: AbortSignal.timeout(30_000),
    });
    await response.text();
    return { type: event.type, status: response.status };
  } catch {
    return { type: event.type, status: 0 };
  }
};

/** From the first to the last as often as asked for, in the given order or all at once. */
export const deliver = async (
  events: readonly StandInEvent[],
  { to, times = 1, together = false }: DeliverOptions,
): Promise<Delivery[]> => {
  const all = Array.from({ length: times }, () => events).flat();
  if (together) return Promise.all(all.map((event) => post(event, to)));
  const deliveries: Delivery[] = [];
  for (const event of all) deliveries.push(await post(event, to));
  return deliveries;
};

export class AutoDelivery {
  #target: Target | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  aim(target: Target | null): void {
    this.#target = target;
  }

  /** One after the other, each after the answer that caused it had its chance to leave. */
  enqueue(event: StandInEvent): void {
    const target = this.#target;
    if (target === null) return;
    this.#queue = this.#queue.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await post(event, target.url, target.secret);
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
