/** Posts signed events (standardwebhooks.com). Each attempt has the event's id. */
import { createHmac } from 'node:crypto';
import { isoTime } from '../platform/time.ts';
import { noAnswer, retryAfterMs } from './http-answer.server.ts';
import type { Channel, DeliveryOutcome, MessageContext } from './notification.server.ts';

export const WEBHOOK_DEADLINE_MS = 15_000;

export interface WebhookSettings {
  url: string;
  /** The bytes of WEBHOOK_SECRET. */
  key: Uint8Array;
}

export function webhookChannel(settings: WebhookSettings, context: MessageContext): Channel {
  return {
    name: 'webhook',
    paceMs: 0,
    deadlineMs: WEBHOOK_DEADLINE_MS,
    async deliver({ id, createdAt }, { kind: { event }, subject }, signal) {
      if (!event) return { kind: 'obsolete' };
      const data = await event.data(subject, context);
      const body = { type: event.type, timestamp: isoTime(createdAt), data };
      return postEvent(settings, `evt_${id}_${createdAt.toString(36)}`, body, signal);
    },
    close() {},
  };
}

export async function postEvent(
  { url, key }: WebhookSettings,
  id: string,
  event: object,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const body = JSON.stringify(event);
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': `v1,${signature}`,
  };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    // What else it says is of no interest, and may be endless.
    response.body?.cancel().catch(() => {});
    return outcomeOf(response);
  } catch (error) {
    return noAnswer(error, WEBHOOK_DEADLINE_MS / 1000);
  }
}

function outcomeOf(response: Response): DeliveryOutcome {
  const { ok, status } = response;
  if (ok) return { kind: 'accepted', answer: `accepted (${status})` };
  const answer =
    status < 400
      ? `answered with a redirect (${status}), which is not followed`
      : `refused (${status})`;
  return { kind: 'unavailable', answer, retryAfterMs: retryAfterMs(response) };
}
