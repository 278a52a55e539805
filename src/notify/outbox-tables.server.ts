/** Notifications on their way. */
import type { Generated } from 'kysely';
import type { ChannelName, DeliveryState } from './delivery.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    outbox: OutboxTable;
    outboxPace: OutboxPaceTable;
  }
}

/** One notice on its way to one receiver. */
interface OutboxTable {
  id: Generated<number>;
  channel: ChannelName;
  /** What must be told in order, such as one conversation. */
  topic: string;
  notice: string;
  state: DeliveryState;
  tries: Generated<number>;
  /** While somebody is delivering it: when the others may take it for abandoned. */
  nextTryAt: number;
  /** The delivery that is under way: another name for each claim. */
  claimedBy: string | null;
  lastAnswer: string | null;
  createdAt: number;
  settledAt: number | null;
}

/** When a channel that is paced may send next, whichever instance does. */
interface OutboxPaceTable {
  channel: ChannelName;
  nextAt: number;
}
