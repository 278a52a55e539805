/** One delivery as staff see it: what is to be told, to whom, and how far it has come. */
import type { Notice } from './notice.ts';

/** Colleagues read Teams and the staff's mailbox; the customer's mailbox is the address that was given. */
export type ChannelName = 'teams' | 'mail-staff' | 'mail-customer';

/** The channels in the words of staff. */
export const RECEIVERS: Record<ChannelName, string> = {
  teams: 'Microsoft Teams',
  'mail-staff': 'staff by email',
  'mail-customer': 'the customer by email',
};

/** 'accepted' is the receiver's word for having taken it over; whether somebody sees it nobody knows. */
export type DeliveryState = 'waiting' | 'accepted' | 'set aside';

/** GET /api/admin/outbox. Times are ISO 8601. */
export interface DeliveryJson {
  id: number;
  channel: ChannelName;
  kind: Notice['kind'];
  reference: string;
  state: DeliveryState;
  tries: number;
  /** Null once it is set aside. */
  nextTryAt: string | null;
  lastAnswer: string | null;
  createdAt: string;
}

export interface OutboxJson {
  /** Those that are not accepted yet: set aside first, staff's own before customers', then the newest; at most 200. */
  deliveries: DeliveryJson[];
  waiting: number;
  setAside: number;
}
