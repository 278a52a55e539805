/** The calls with which staff list, resend and dismiss deliveries. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list, rowId, text, textOrNull, timestamp } from '../platform/schema.ts';

/**
 * 'teams' and 'mail-staff' are for staff, 'mail-customer' for customers, 'webhook' for programs.
 */
const CHANNELS = ['teams', 'mail-staff', 'mail-customer', 'webhook'] as const;
export type ChannelName = (typeof CHANNELS)[number];

export const RECEIVERS: Readonly<Record<ChannelName, string>> = {
  teams: 'Microsoft Teams',
  'mail-staff': 'staff by email',
  'mail-customer': 'the customer by email',
  webhook: 'the webhook',
};

/** 'accepted' means that the receiver took the message, not that anyone has read it. */
export type DeliveryState = 'waiting' | 'accepted' | 'failed';

const delivery = z.object({
  id: rowId,
  /** Channel and state may be unknown to this version of the page. */
  channel: text,
  label: text,
  reference: text,
  state: text,
  tries: fallback(count, 0),
  /** Null if it has failed. */
  nextTryAt: fallback(z.nullable(timestamp), null),
  lastAnswer: textOrNull,
  createdAt: text,
});

export type Delivery = z.output<typeof delivery>;

/** Deliveries not accepted yet, at most 200: failed first, staff's first, then the newest. */
export const LIST_OUTBOX = contract('GET /api/admin/outbox', {
  answer: z.object({
    deliveries: list(delivery),
    waiting: fallback(count, 0),
    failed: fallback(count, 0),
  }),
});

const changedDelivery = fallback(z.nullable(delivery), null);

export const RESEND = contract('POST /api/admin/outbox/:id/resend', { answer: changedDelivery });
export const DISMISS = contract('POST /api/admin/outbox/:id/dismiss', { answer: changedDelivery });
