/** One delivery as staff see it: what is to be told, to whom, and how far it has come. */
import * as z from 'zod/mini';
import { count, moment, rowId } from '../platform/json-shapes.ts';

/** Colleagues read Teams and the staff's mailbox; the customer's mailbox is the address that was given. */
export const CHANNELS = ['teams', 'mail-staff', 'mail-customer'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** The channels in the words of staff. */
export const RECEIVERS: Record<ChannelName, string> = {
  teams: 'Microsoft Teams',
  'mail-staff': 'staff by email',
  'mail-customer': 'the customer by email',
};

/** 'accepted' is the receiver's word for having taken it over; whether somebody sees it nobody knows. */
export const DELIVERY_STATES = ['waiting', 'accepted', 'set aside'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const delivery = z.strictObject({
  id: rowId,
  channel: z.enum(CHANNELS),
  kind: z.string(),
  reference: z.string(),
  state: z.enum(DELIVERY_STATES),
  tries: count,
  /** Null once it is set aside. */
  nextTryAt: z.nullable(moment),
  lastAnswer: z.nullable(z.string()),
  createdAt: moment,
});
export type Delivery = z.output<typeof delivery>;

export const openDeliveries = z.strictObject({
  /** Those that are not accepted yet: set aside first, staff's own before customers', then the newest; at most 200. */
  deliveries: z.array(delivery),
  waiting: count,
  setAside: count,
});
export type OpenDeliveries = z.output<typeof openDeliveries>;
