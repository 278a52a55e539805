/** A notification: what a feature declares to have people notified, how it is stored, and what a way of reaching people is. */
import type { Generated, Kysely } from 'kysely';
import type { PriceLine } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import type { ChannelName, DeliveryState } from './delivery.ts';

/**
 * Something that happens to one of a feature's rows. Each kind stands in its feature's folder and is listed in
 * src/notification-kinds.server.ts. The messages are written when they are delivered, from the row as it is then.
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
  /** The mailbox of an email that a stranger can cause: it gets few of them a day. Undefined for any other email. */
  boundedRecipient?(subject: Subject): string | undefined;
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
  /** The page that shows a customer this order, without a sign-in. */
  customerPage(order: { id: number; linkVersion: number }): string;
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
 * have been typed by somebody else, so nothing that a visitor wrote is repeated to it: no message, and the name only of
 * somebody who has paid or whom staff know, when it can be nothing but a name.
 */
export interface CustomerEmail extends Omit<Email, 'replyTo'> {
  to: string;
  /** As it was given; '' greets nobody by name. */
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

/**
 * As it stands in the outbox's column `notice` (a name from the table's first days): the kind and the row's id, such as
 * {"kind":"contact-received","submissionId":12}. Other versions of the site read and write it too.
 */
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

export type Outcome =
  /** `answer` is what the receiver said, for staff to read; it holds no secret. */
  | { kind: 'accepted'; answer: string }
  /** `final`: the receiver refuses this message and would refuse it again. */
  | { kind: 'failed'; answer: string; retryAfterMs?: number; final?: boolean }
  /** What it is about, or the address it goes to, has been deleted since. */
  | { kind: 'gone' };

/** What the outbox needs of a way to reach people. */
export interface Channel {
  name: ChannelName;
  /** How many deliveries may be under way at once in one process. */
  atOnce: number;
  /** The least time between two deliveries, all instances together; null: it knows no pace and no pauses. */
  paceMs: number | null;
  /** A delivery that takes longer is given up. */
  deadlineMs: number;
  /** A caller who aborts wants to stop soon. Throws for bugs only. */
  deliver(row: Row<'outbox'>, notification: Notification, stop: AbortSignal): Promise<Outcome>;
  close(): void;
}

/**
 * So long after its deadline a delivery counts as abandoned, and another instance may take it: time to write down
 * what came of it, and for clocks that differ.
 */
export const LEASE_MARGIN_MS = 5_000;
export const MOST_TRIES = 12;

const FIRST_PAUSE_MS = 1_000;
const GROWTH = 2.5;
/** Also when a receiver asks for more. */
export const LONGEST_PAUSE_MS = 60 * 60 * 1000;
/** A quarter more or less of each pause is by chance. */
const CHANCE = 1 / 4;
/** Nothing waits for longer by a clock that is right, or by two that differ. */
export const LONGEST_WAIT_MS = LONGEST_PAUSE_MS * (1 + CHANCE) + LEASE_MARGIN_MS;

/**
 * Milliseconds to wait after the given number of failed tries: 1 s growing to an hour, some three hours over
 * all twelve, a quarter more or less by chance so that what failed together does not come back together.
 */
export function pauseMs(tries: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * GROWTH ** (tries - 1), LONGEST_PAUSE_MS);
  return Math.round(pause * (1 - CHANCE + Math.random() * 2 * CHANCE));
}
