import { createHmac } from 'node:crypto';
import { newId } from './world.ts';

export const apiVersion = '2026-10-28.endive';

export interface SignOptions {
  /** Several secrets give several v1 signatures, as while a secret is being rolled. */
  secret?: string | string[];
  /** Unix seconds; now by default. */
  timestamp?: number;
  /** Signs something else, so that no secret verifies it. */
  bad?: boolean;
}

export interface StandInEvent {
  id: string;
  type: string;
  created: number;
  /** The object as it was when the event happened. */
  object: Record<string, unknown>;
  /** Pretty-printed, as Stripe sends it. */
  body: string;
  signature(options?: SignOptions): string;
}

export interface EventData {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: Record<string, unknown>; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

interface RecordInput {
  type: string;
  object: object;
  created: number;
  previous?: object | undefined;
  request: { id: string; idempotency_key: string | null } | null;
}

const sign = (body: string, secret: string | string[], options: SignOptions = {}): string => {
  const timestamp = options.timestamp ?? Math.floor(Date.now() / 1000);
  const signed = `${timestamp}.${options.bad === true ? `${body} ` : body}`;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const hmac = (key: string): string => createHmac('sha256', key).update(signed).digest('hex');
  const v1 = secrets.map((key) => `v1=${hmac(key)}`);
  // v0 is Stripe's test scheme, which receivers must ignore.
  return [`t=${timestamp}`, ...v1, `v0=${hmac('stand-in v0')}`].join(',');
};

export class EventLog {
  readonly events: StandInEvent[] = [];
  readonly data: EventData[] = [];
  readonly #secret: () => string | string[];
  readonly #listeners = new Set<(event: StandInEvent) => void>();

  constructor(secret: () => string | string[]) {
    this.#secret = secret;
  }

  onEvent(listener: (event: StandInEvent) => void): void {
    this.#listeners.add(listener);
  }

  record(input: RecordInput): StandInEvent {
    const object = structuredClone(input.object) as Record<string, unknown>;
    const data: EventData = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: input.created,
      data:
        input.previous === undefined
          ? { object }
          : { object, previous_attributes: structuredClone(input.previous) },
      livemode: false,
      pending_webhooks: 1,
      request: input.request ?? { id: null, idempotency_key: null },
      type: input.type,
    };
    const body = JSON.stringify(data, null, 2);
    const event: StandInEvent = {
      id: data.id,
      type: data.type,
      created: data.created,
      object,
      body,
      signature: (options = {}) => sign(body, options.secret ?? this.#secret(), options),
    };
    this.data.push(data);
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
    return event;
  }
}
