/** Posts signed events (standardwebhooks.com). Each attempt has the event's id. */
import { createHmac } from 'node:crypto';
import { isoTime } from '../platform/time.ts';
import { notTaken, post } from './http-answer.server.ts';
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
    leavesCopies: true,
    deadlineMs: WEBHOOK_DEADLINE_MS,
    async deliver({ id, createdAt }, { kind: { event }, subject }, signal) {
      if (!event) return { kind: 'obsolete' };
      const data = await event.data(subject, context);
      const body = { type: event.type, timestamp: isoTime(createdAt), data };
      return postEvent(settings, `evt_${id}_${createdAt.toString(36)}`, body, signal);
    },
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
  return post(url, { headers, body, signal }, WEBHOOK_DEADLINE_MS / 1000, (refused) => {
    // What else it says is of no interest, and may be endless.
    refused.body?.cancel().catch(() => {});
    return notTaken(refused);
  });
}
