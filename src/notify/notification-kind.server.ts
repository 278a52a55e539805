import type { Kysely } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import type { ChannelName } from './delivery.ts';
import type { CustomerEmail } from './mail/email.server.ts';
import type { StaffMessage, Writer } from './staff-message.server.ts';

/**
 * What a feature declares to notify people of something that happened to one of its rows. Each kind stands in its
 * feature's folder and is listed in src/notifications.server.ts. The messages are written when they are delivered,
 * from the row as it is then.
 */
export interface NotificationKind<Subject = unknown> {
  /** Such as 'contact-received'. The outbox stores it, so it stays as it is once it has been used. */
  kind: string;
  /** The key under which a stored notification keeps the row's id, such as 'submissionId'; it stays as it is too. */
  about: string;
  /** The row; undefined once it has been deleted. */
  find(db: Kysely<Tables>, id: number): Promise<Subject | undefined>;
  /** The number under which people speak of the row, such as 'C-12'. */
  reference(id: number): string;
  /** Notifications of one topic reach each receiver in the order in which they happened. */
  topic(subject: Subject): string;
  /** Who is to hear of it; channels that are not configured are left out later. */
  channels(
    db: Kysely<Tables>,
    subject: Subject,
    site: { hours: Company['hours']; configured: readonly ChannelName[] },
  ): ChannelName[] | Promise<ChannelName[]>;
  staffMessage(subject: Subject, writer: Writer): StaffMessage;
  /** Needed by kinds with the channel 'mail-customer'; undefined when there is nothing to say any more, or nobody to say it to. `at`: when it happened. */
  customerEmail?(
    subject: Subject,
    at: number,
    writer: Writer,
  ): CustomerEmail | undefined | Promise<CustomerEmail | undefined>;
}

/** A kind with the row that one notification is about. */
export interface Notification {
  kind: NotificationKind;
  subject: unknown;
}
