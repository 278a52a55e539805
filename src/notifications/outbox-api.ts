/** What staff see of the outbox and do with it: the calls and what they answer. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list, moment, rowId } from '../platform/schema.ts';

/** Colleagues read Teams and the staff's mailbox; the customer's mailbox is the address that was given. */
export const CHANNELS = ['teams', 'mail-staff', 'mail-customer'] as const;
export type ChannelName = (typeof CHANNELS)[number];

export const RECEIVERS: Readonly<Record<ChannelName, string>> = {
  teams: 'Microsoft Teams',
  'mail-staff': 'staff by email',
  'mail-customer': 'the customer by email',
};

/** 'accepted' is the receiver's word for having taken it over, which does not mean that anyone has read it. */
export type DeliveryState = 'waiting' | 'accepted' | 'set aside';

const delivery = z.object({
  id: rowId,
  /** Channel, kind, and state may be ones that this version does not know. */
  channel: fallback(z.string(), ''),
  kind: fallback(z.string(), ''),
  reference: fallback(z.string(), ''),
  state: fallback(z.string(), ''),
  tries: fallback(count, 0),
  /** Null once it is set aside. */
  nextTryAt: fallback(z.nullable(moment), null),
  lastAnswer: fallback(z.nullable(z.string()), null),
  createdAt: fallback(z.string(), ''),
});

export type Delivery = z.output<typeof delivery>;

/** What is not accepted yet: set aside first, staff's own before customers', then the newest; at most 200. */
export const LIST_OUTBOX = contract('GET /api/admin/outbox', {
  answer: z.object({
    deliveries: list(delivery),
    waiting: fallback(count, 0),
    setAside: fallback(count, 0),
  }),
});

const changedDelivery = fallback(z.nullable(delivery), null);

export const RESEND = contract('POST /api/admin/outbox/:id/resend', { answer: changedDelivery });
export const DISMISS = contract('POST /api/admin/outbox/:id/dismiss', { answer: changedDelivery });
