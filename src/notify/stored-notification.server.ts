/**
 * A notification as the outbox stores it, in its column `notice` (a name from the table's first days): the kind and
 * the row's id, such as {"kind":"contact-received","submissionId":12}. Other versions of the site read and write it too.
 */
import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import type { ChannelName, DeliveryState } from './delivery.ts';
import type { Notification, NotificationKind } from './notification-kind.server.ts';

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

export function storedNotification({ kind, about }: NotificationKind, id: number): string {
  return JSON.stringify({ kind, [about]: id });
}

/** Undefined when the row has been deleted since, or when the kind is unknown to this version. */
export async function readNotification(
  db: Kysely<Tables>,
  kinds: readonly NotificationKind[],
  stored: string,
): Promise<Notification | undefined> {
  const fields = JSON.parse(stored);
  const kind = kinds.find((each) => each.kind === fields.kind);
  const subject = await kind?.find(db, fields[kind.about]);
  return kind && subject !== undefined ? { kind, subject } : undefined;
}

/** The kind and the reference of what it is about, which is known for unknown kinds too if a known one is about the same. */
export function storedReference(
  kinds: readonly NotificationKind[],
  stored: string,
): { kind: string; reference: string } {
  const fields = JSON.parse(stored);
  const known = kinds.find(({ about }) => about in fields);
  return { kind: fields.kind, reference: known ? known.reference(fields[known.about]) : '' };
}
