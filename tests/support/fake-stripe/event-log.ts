import { createHmac } from 'node:crypto';
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

export interface EventData {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  type: string;
}

const sign = (body: string, secret: string): string => {
  const timestamp = Math.floor(Date.now() / 1000);
  const hmac = (key: string): string =>
    createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  // v0 is Stripe's test scheme, which receivers must ignore.
  return `t=${timestamp},v1=${hmac(secret)},v0=${hmac('stand-in v0')}`;
};

export class EventLog {
  readonly events: StandInEvent[] = [];
  readonly data: EventData[] = [];
  readonly #secret: string;
  readonly #onEvent: (event: StandInEvent) => void;

  constructor(secret: string, onEvent: (event: StandInEvent) => void) {
    this.#secret = secret;
    this.#onEvent = onEvent;
  }

  record(type: string, about: object, created: number): void {
    const object = structuredClone(about) as Record<string, unknown>;
    const data: EventData = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created,
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      type,
    };
    const body = JSON.stringify(data, null, 2);
    const signature = (secret = this.#secret): string => sign(body, secret);
    const event = { id: data.id, type, created, object, body, signature };
    this.data.push(data);
    this.events.push(event);
    this.#onEvent(event);
  }
}
