/** One delivery as staff see it: what is to be told, to whom, and how far it has come. */
import type { Row } from '../platform/tables.server.ts';
import type { Notice } from './notice.ts';

export type ChannelName = Row<'outbox'>['channel'];
export type DeliveryState = Row<'outbox'>['state'];

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
  /** Those that are not accepted yet, set aside first, then the oldest; at most 200. */
  deliveries: DeliveryJson[];
  waiting: number;
  setAside: number;
}
