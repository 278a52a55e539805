/** The calls with which staff list, resend and dismiss deliveries. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import {
  count,
  fallback,
  list,
  rowId,
  text,
  textOrNull,
  timestamp,
  withDefault,
} from '../platform/schema.ts';
import type { Dependency } from './faults-api.ts';

/** 'programs' get what has an `event`. */
export type Audience = 'staff' | 'customer' | 'programs';

/**
 * All ways to reach people, and what is true of each. Never rename one: the outbox has stored it.
 * docs/walks.md says what else a new one takes.
 */
export const CHANNELS = {
  teams: {
    receiver: 'Microsoft Teams',
    audience: 'staff',
    service: 'teams',
    isSeenAtOnce: true,
    copies: 'Cards in Microsoft Teams. Search the channel for the reference numbers, such as C-12.',
  },
  'mail-staff': {
    receiver: 'staff by email',
    audience: 'staff',
    service: 'mail',
    isSeenAtOnce: false,
    copies: 'Email in staff mailboxes. Search for the address and the reference numbers.',
  },
  'mail-customer': {
    receiver: 'the customer by email',
    audience: 'customer',
    service: 'mail',
    isSeenAtOnce: false,
    copies: 'Email in Sent Items of the mailbox that this site sends from.',
  },
  webhook: {
    receiver: 'the webhook',
    audience: 'programs',
    service: 'webhook',
    isSeenAtOnce: false,
    copies: 'Events in the program that receives them, and what it made of them.',
  },
} as const satisfies Record<string, ChannelFacts>;

interface ChannelFacts {
  /** In words, after 'to'. */
  receiver: string;
  audience: Audience;
  /** What it depends on. */
  service: Dependency;
  /** Whoever is at their desk sees it at once: a chat message then goes there alone. */
  isSeenAtOnce: boolean;
  /** What stays there once a person is erased here, for staff to find. */
  copies: string;
}

export type ChannelName = keyof typeof CHANNELS;

/** Undefined for a name that this version does not know. */
export function channelFacts(name: string): ChannelFacts | undefined {
  const channels: Readonly<Record<string, ChannelFacts>> = CHANNELS;
  return channels[name];
}

export function channelsOf(...audiences: readonly Audience[]): ChannelName[] {
  const names = Object.keys(CHANNELS) as ChannelName[];
  return names.filter((name) => audiences.includes(CHANNELS[name].audience));
}

/** 'accepted' means that the receiver took the message, not that anyone has read it. */
export type DeliveryState = 'waiting' | 'accepted' | 'failed';

const delivery = z.object({
  id: rowId,
  /** Channel and state may be unknown to this version of the page. */
  channel: text,
  label: text,
  reference: text,
  /** Whom it is about, and the page of the record. */
  name: withDefault(z.nullable(z.string()), null),
  path: withDefault(z.nullable(z.string()), null),
  state: text,
  tries: fallback(count, 0),
  /** Null if it has failed. */
  nextTryAt: fallback(z.nullable(timestamp), null),
  lastAnswer: textOrNull,
  createdAt: text,
});

export type Delivery = z.output<typeof delivery>;

/** Not accepted yet, without answers in threads, at most 200: failed and staff's first, newest. */
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
