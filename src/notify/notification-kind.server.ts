/** What a feature declares to notify people of something that happened, and how it says it. */
import type { Kysely } from 'kysely';
import type { PriceLine } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import type { ChannelName } from './delivery.ts';

/**
 * Something that happens to one of a feature's rows. Each kind stands in its feature's folder and is listed in
 * src/notifications.server.ts. The messages are written when they are delivered, from the row as it is then.
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

/** What every card and email is written with. */
export interface Writer {
  company: Company;
  /** The site's own origin. */
  publicUrl: string;
  /** The page that shows a customer the order with this id, without a sign-in. */
  customerPage(id: number): string;
  /** A new link to the quote with this id. */
  quotePage(id: number): Promise<string>;
}

/** What staff are notified of, before it becomes a card or an email: who, what, when, and how to answer. */
export interface StaffMessage {
  /** Our own words only: it names the reference and nothing that a visitor wrote. */
  title: string;
  suspicious: boolean;
  warning: string | null;
  facts: [label: string, value: string][];
  /** The visitor's own words. */
  text: string | null;
  lines: PriceLine[];
  /** Whom an answer goes to, and its subject. */
  reply: { name: string | null; email: string; subject: string } | null;
  /** Where staff find it. */
  staffUrl: string;
}

/**
 * What customers get, without its greeting and the address for answers, which are the same in all of them. The address may
 * have been typed by somebody else, so nothing that a visitor wrote is repeated to it: no message, and the name only when
 * it can be nothing but a name.
 */
export interface CustomerEmail extends Omit<Email, 'replyTo'> {
  to: string;
  /** As it was given. */
  name: string;
}

/** Said once, then set as HTML and as plain text. */
export interface Email {
  subject: string;
  heading: string;
  parts: Part[];
  /** Who sends it and why it came, in small print. */
  footer: string[];
  replyTo: { name: string; address: string };
}

/** A bare text is a paragraph. */
export type Part =
  | string
  | { kind: 'warning'; text: string }
  | { kind: 'facts'; facts: readonly [label: string, value: string][] }
  /** Words that somebody else wrote. */
  | { kind: 'quote'; text: string }
  /** The breakdown of a monthly price, with what the provider adds to it; without lines the total alone. */
  | { kind: 'prices'; lines: readonly PriceLine[]; tax?: Cents; total: Cents }
  | { kind: 'link'; label: string; url: string };
