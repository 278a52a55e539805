import type { StandInEvent } from './event-log.ts';

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

/** Nothing a test does may reach another machine. */
const assertLoopback = (address: string): void => {
  const { hostname } = new URL(address);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    throw new Error(`Events are delivered on loopback only, not to ${hostname}`);
  }
};

const post = async (event: StandInEvent, to: string, secret?: string): Promise<Delivery> => {
  assertLoopback(to);
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
  #queue: Promise<void> = Promise.resolve();

  aim(target: Target | null): void {
    if (target !== null) assertLoopback(target.url);
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
    let seen: Promise<void> | undefined;
    while (seen !== this.#queue) {
      seen = this.#queue;
      await seen;
    }
  }
}
