import type { SignOptions, StandInEvent } from './event-log.ts';

export interface Target {
  url: string;
  secret: string | string[];
}

export interface DeliverOptions {
  to?: string;
  secret?: string | string[];
  /** How often each event is sent. */
  times?: number;
  badSignature?: boolean;
  timestamp?: number;
  /** All at once instead of one after the other. */
  together?: boolean;
}

export interface Delivery {
  eventId: string;
  type: string;
  /** 0 when no answer came. */
  status: number;
  body: string;
}

/** Nothing a test does may reach another machine. */
const assertLoopback = (address: string): void => {
  const { hostname } = new URL(address);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    throw new Error(`Events are delivered on loopback only, not to ${hostname}`);
  }
};

export const post = async (
  event: StandInEvent,
  to: string,
  signing: SignOptions,
): Promise<Delivery> => {
  assertLoopback(to);
  try {
    const response = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': event.signature(signing),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        accept: '*/*; q=0.5, application/xml',
        'cache-control': 'no-cache',
      },
      body: event.body,
      signal: AbortSignal.timeout(30_000),
    });
    return {
      eventId: event.id,
      type: event.type,
      status: response.status,
      body: await response.text(),
    };
  } catch (error) {
    return { eventId: event.id, type: event.type, status: 0, body: String(error) };
  }
};

export class AutoDelivery {
  readonly deliveries: Delivery[] = [];
  #target: Target | null = null;
  #queue: Promise<void> = Promise.resolve();

  aim(target: Target | null): void {
    if (target !== null) assertLoopback(target.url);
    this.#target = target;
  }

  get target(): Target | null {
    return this.#target;
  }

  /** One after the other, each after the answer that caused it had its chance to leave. */
  enqueue(event: StandInEvent): void {
    const target = this.#target;
    if (target === null) return;
    this.#queue = this.#queue.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      this.deliveries.push(await post(event, target.url, { secret: target.secret }));
    });
  }

  async settled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.#queue) {
      seen = this.#queue;
      await seen;
    }
  }
}
