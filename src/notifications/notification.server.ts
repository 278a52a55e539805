/** A notification: what a feature declares to have people notified, and what a way of reaching people is. */
import type { Kysely } from 'kysely';
import type { PriceLine } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import type { ChannelName } from './outbox-api.ts';

/**
 * Something that happens to one of a feature's rows. Each kind stands in its feature's folder and is listed in
 * src/notification-kinds.server.ts. The messages are written when they are delivered, from the row as it is then.
 */
export interface NotificationKind<Subject = unknown> {
  /** Such as 'contact-received'. The outbox stores it, so it stays as it is once it has been used. */
  kind: string;
  /** The row; undefined once it has been deleted. */
  find(db: Kysely<Tables>, id: number): Promise<Subject | undefined>;
  /** The number under which people speak of the row, such as 'C-12'. */
  reference(id: number): string;
  /** Notifications of one topic reach each receiver in the order in which they happened. */
  topic(subject: Subject): string;
  /** Whom it is for; channels that are not configured are left out later. */
  channels(
    db: Kysely<Tables>,
    subject: Subject,
    site: { hours: Company['hours']; configured: readonly ChannelName[] },
  ): ChannelName[] | Promise<ChannelName[]>;
  /** The mailbox of an email that a stranger can cause: it gets few of them a day. Undefined for any other email. */
  boundedRecipient?(subject: Subject): string | undefined;
  /** For the channels of staff. */
  staffMessage?(subject: Subject, context: MessageContext): StaffMessage;
  /** Undefined when there is nothing to say any more, or no one to say it to. `at`: when it happened. */
  customerEmail?(
    subject: Subject,
    at: number,
    context: MessageContext,
  ): CustomerEmail | undefined | Promise<CustomerEmail | undefined>;
}

/** A kind with the row that one notification is about. */
export interface Notification {
  kind: NotificationKind;
  subject: unknown;
}

/** What every card and email is written with. */
export interface MessageContext {
  company: Company;
  /** The site's own origin. */
  publicUrl: string;
  /** The page that shows a customer this order, without a sign-in. */
  customerPage(order: { id: number; linkVersion: number }): Promise<string>;
  /** A new address at which one browser may change this order: once, within 30 minutes. */
  accessPage(order: { id: number; linkVersion: number }): Promise<string>;
  /** A new link to the quote with this id. */
  quotePage(id: number): Promise<string>;
  /** What time it is for the payment provider, in milliseconds. */
  now(): Promise<number>;
}

/** What staff are notified of, before it becomes a card or an email: who, what, when, and how to answer. */
export interface StaffMessage {
  /** Our own words only: it names the reference and nothing that a visitor wrote. */
  title: string;
  suspicious?: boolean;
  warning?: string | null;
  facts: [label: string, value: string][];
  /** The visitor's own words. */
  text?: string | null;
  lines?: PriceLine[];
  /** Whom an answer goes to, and its subject. */
  reply: { name: string | null; email: string; subject: string } | null;
  /** Where staff find it. */
  staffUrl: string;
}

/**
 * What customers get, without what is the same in all of them. The address may have been typed by another person, so nothing
 * that a visitor wrote is repeated to it: no message, and the name only of a customer who has paid or whom staff know,
 * when it can be nothing but a name.
 */
export interface CustomerEmail extends Pick<Email, 'to' | 'subject' | 'heading' | 'parts'> {
  /** As it was given; without one the greeting has no name. */
  name?: string;
  /** The question that the closing words about how to reach us begin with. */
  question?: string;
  /** Why it came, in small print. */
  reason?: string;
}

/** Said once, then set as HTML and as plain text. */
export interface Email {
  to: string;
  subject: string;
  heading: string;
  parts: EmailPart[];
  /** Who sends it and why it came, in small print. */
  footer: string[];
  replyTo: { name: string; address: string };
}

/** A bare text is a paragraph. */
export type EmailPart =
  | string
  | { kind: 'warning'; text: string }
  | { kind: 'facts'; facts: readonly [label: string, value: string][] }
  /** Words of a visitor. */
  | { kind: 'quote'; text: string }
  /** The breakdown of a monthly price, with what the provider adds to it; without lines the total alone. */
  | { kind: 'prices'; lines: readonly PriceLine[]; tax?: Cents; total: Cents }
  | { kind: 'link'; label: string; url: string };

/** `answer` is what the receiver said, for staff to read; it holds no secret and no address. */
export type DeliveryOutcome =
  | { kind: 'accepted'; answer: string }
  /** This message or its address is refused, and would be again. */
  | { kind: 'refused'; answer: string }
  /** Not now, for a reason that lies in this message or its address. */
  | { kind: 'retry'; answer: string }
  /** The receiver takes nothing at all for now. */
  | { kind: 'unavailable'; answer: string; retryAfterMs?: number }
  /** What it is about, or the address it goes to, has been deleted since. */
  | { kind: 'gone' };

/** What the outbox needs of a way to reach people. */
export interface Channel {
  name: ChannelName;
  /** The least time between two deliveries. */
  paceMs: number;
  /** A delivery that takes longer is aborted. */
  deadlineMs: number;
  /** Throws for bugs only. */
  deliver(
    row: Row<'outbox'>,
    notification: Notification,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome>;
  close(): void;
}
