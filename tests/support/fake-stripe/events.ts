/** The account's events: signed, and posted to the site. */
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
}

const { webhooks } = new Stripe('sk_test_signing_only');

/** Returns a signature header; `timestamp` is in Unix seconds, now by default. */
export const sign = (payload: string, secret: string, timestamp?: number): string =>
  webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) });

export const makeEvent = (type: string, about: object, created: number): StandInEvent => {
  const object = structuredClone(about) as Record<string, unknown>;
  const id = newId('evt');
  const event = { id, object: 'event', api_version: apiVersion, created, livemode: false, type };
  return {
    id,
    type,
    created,
    object,
    body: JSON.stringify({ ...event, data: { object } }, null, 2),
  };
};

/** Posts a body to the webhook as Stripe does; returns the status, or 0 when no response came. */
export const post = async (
  url: string,
  body: string,
  signature: string | null,
): Promise<number> => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(signature !== null && { 'stripe-signature': signature }),
  };
  const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
  await response?.text().catch(() => null);
  return response?.status ?? 0;
};

interface DeliverOptions {
  to: string;
  /** How often each event is sent. */
  times?: number;
  /** Send all at once instead of one after another. */
  together?: boolean;
}

/** How events reach a webhook with this secret. */
export const delivery = (secret: string) => {
  const send = ({ body }: StandInEvent, url: string) => post(url, body, sign(body, secret));
  /** The webhook that each event is posted to soon after it happens. */
  let webhook: string | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  return {
    enqueue(event: StandInEvent): void {
      const url = webhook;
      if (url === null) return;
      queue = queue.then(async () => {
        // The response to the request that caused the event goes first.
        await new Promise((resolve) => setTimeout(resolve, 5));
        await send(event, url);
      });
    },
    autoDeliver(url: string | null): void {
      webhook = url;
    },
    async settled(): Promise<void> {
      let seen: Promise<unknown> | undefined;
      while (seen !== queue) {
        seen = queue;
        await seen;
      }
    },
    /** Posts events in the given order; returns the status of each response. */
    async deliver(
      events: readonly StandInEvent[],
      { to, times = 1, together = false }: DeliverOptions,
    ): Promise<number[]> {
      const all = Array.from({ length: times }, () => events).flat();
      if (together) return Promise.all(all.map((event) => send(event, to)));
      const statuses: number[] = [];
      for (const event of all) statuses.push(await send(event, to));
      return statuses;
    },
  };
};
