/** What a feature declares to notify people, and what a channel must implement to deliver it. */

import type { Price } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import type { Db, Row, Trx } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import type { Site } from '../site.server.ts';
import type { Dependency } from './faults-api.ts';
import type { Audience, ChannelName } from './outbox-api.ts';

/** Something that happens to a feature's rows, listed by the feature. Written at delivery. */
export interface NotificationKind<Subject = unknown> {
  /** For example 'contact-received'. Never rename one: the outbox has stored it. */
  kind: string;
  /** Precedes the reference in staff's list of undelivered notifications. */
  label: string;
  /** Returns the row, and the event that the message is about; undefined once it is deleted. */
  find(db: Db, id: number, eventId: number | null): Promise<Subject | undefined>;
  /** The row's number as people see it, for example 'C-12'. */
  reference(id: number): string;
  /** Each receiver gets the notifications of one topic in order. */
  topic(subject: Subject): string;
  /** Who gets it, by the channels that are configured for them (CHANNELS). */
  audiences(subject: Subject): readonly ('staff' | 'customer')[];
  /** Whether staff who have a channel that is seen at once get it by that alone. */
  isSeenAtOnce?(subject: Subject, hours: Company['hours']): boolean;
  /** Does not leave before this time, when it is asked again; by default at once. */
  notBefore?(subject: Subject, audience: Audience): number;
  /** Staff read at the record, not in the list, what became of its email to the customer. */
  isShownWithRecord?: boolean;
  /** The address of an email that any stranger can cause, of which a day has a limited number. */
  limitedRecipient?(subject: Subject): string | undefined;
  /** For programs of the company: docs/integrations.md lists types and data. */
  event?: {
    type: string;
    data(subject: Subject, context: MessageContext): object | Promise<object>;
  };
  staffMessage?(subject: Subject, context: MessageContext): StaffMessage;
  /** Returns undefined if there is nothing left to say, or no address. `at`: when it happened. */
  customerEmail?(
    subject: Subject,
    at: number,
    context: MessageContext,
  ): CustomerEmail | undefined | Promise<CustomerEmail | undefined>;
  /** What follows, in the same transaction, once a delivery was accepted or has failed for good. */
  settled?(context: InTransaction, delivery: Row<'outbox'>, isAccepted: boolean): Promise<void>;
}

/**
 * Call it in the transaction that saves the row. `eventId`: what happened to the row. `except`: who
 * does not get it. `without`: what does not work.
 */
export type Notify = (
  trx: Db,
  kind: Pick<NotificationKind, 'kind'> & { except?: Audience; without?: Dependency },
  id: number,
  eventId?: number,
) => Promise<void>;

/** What is stored and told of as a part of one transaction. */
export interface InTransaction {
  db: Trx;
  notify: Notify;
}

/** A kind and the row it is about. */
export interface Notification {
  kind: NotificationKind;
  subject: unknown;
}

/** What messages need besides their row. */
export type MessageContext = Pick<Site, 'db' | 'company' | 'publicUrl' | 'isOwnAddress'> & {
  logos?: readonly MailLogo[];
};

export interface StaffMessage {
  /** Never contains anything a visitor wrote. */
  title: string;
  suspicious?: boolean;
  warning?: string | null;
  facts: [label: string, value: string][];
  text?: string | null;
  price?: Price;
  /** The recipient and subject of an answer; null if no address was given. */
  reply: { name: string | null; email: string; subject: string } | null;
  /** The page that shows it to staff. */
  staffUrl: string;
}

/**
 * An email to a customer. Someone else may have typed the address, so it never repeats a visitor's
 * words, unless a person answers them, and greets by name only a customer who has paid or whom
 * staff know. Without a heading it is a colleague's letter: not automatic, in their words alone.
 */
export interface CustomerEmail
  extends Pick<
    Email,
    'to' | 'subject' | 'heading' | 'under' | 'urgent' | 'parts' | 'unsubscribeUrl'
  > {
  /** Greeted by the first name, or as the company where it has none. */
  name?: string;
  company?: string | null;
  /** Starts the closing sentence about how to reach us. */
  question?: string;
  /** Why it came, in small print. */
  reason?: string;
}

export interface Mailbox {
  /** May be empty. */
  name: string;
  address: string;
}

export interface Email {
  to: string;
  subject: string;
  /** The company, at the head: as a picture sent with the email, else in large letters. */
  logos?: readonly MailLogo[];
  wordmark: string;
  greeting?: string;
  /** What happened, in a few words, with the sum that counts. None in a letter of a person. */
  heading?: string;
  /** One quiet line below it. */
  under?: string | undefined;
  /** Whether money is owed, so that its edge is red. */
  urgent?: boolean;
  parts: EmailPart[];
  /** Who sent it and why, in small print. */
  footer: string[];
  /** Whether no person caused it. */
  isAutomatic: boolean;
  /** Null: a reply would come back to us as if a visitor had written it. */
  replyTo: { name: string; address: string } | null;
  /** A POST to it stops emails of this kind. */
  unsubscribeUrl?: string;
}

/** The Content-IDs of the logos on light and on dark ground, as content/pictures names them. */
export const LOGO_IDS = ['logo', 'logo-light'] as const;

export interface MailLogo {
  id: (typeof LOGO_IDS)[number];
  png: Buffer;
}

/** A string is a paragraph; `words` is one with links. */
export type EmailPart =
  | string
  | { kind: 'words'; words: readonly (string | { label: string; url: string })[] }
  | { kind: 'heading'; text: string }
  /** In order, each with what it is about. */
  | { kind: 'list'; items: readonly [what: string, words: string][] }
  /** Up to five counts in large digits, each with what it counts. */
  | { kind: 'figures'; figures: readonly [count: string, what: Toned][] }
  /** Who wrote a letter, and below it how to reach them. */
  | { kind: 'signature'; name: string; text: string }
  | { kind: 'warning'; text: string }
  | { kind: 'facts'; facts: readonly [label: string, value: string, state?: Toned][] }
  /** A visitor's own words. `head`: as Outlook writes it above a message that is answered. */
  | { kind: 'quote'; text: string; head?: readonly [label: string, value: string][] }
  /**
   * The breakdown of a monthly price, with today's if it is to come, or with what was paid and the
   * tax on what is charged once.
   */
  | { kind: 'prices'; price: Price; today?: Price; paid?: Cents | undefined; onceTax?: Cents }
  /** The last one counts. */
  | { kind: 'sums'; sums: readonly { name: string; detail?: string | undefined; amount: Cents }[] }
  | { kind: 'link'; label: string; url: string };

/** A word with a color, as badges have it on a page. */
export interface Toned {
  tone: 'primary' | 'amber' | 'danger' | 'neutral';
  text: string;
}

/** `answer` is shown to staff. It must not contain a secret or an address. */
export type DeliveryOutcome =
  | { kind: 'accepted'; answer: string }
  /** Permanent: this message or address would be refused again. */
  | { kind: 'refused'; answer: string }
  /** Temporary, and about this message or address only. */
  | { kind: 'retry'; answer: string }
  /**
   * Nothing is accepted now. `about`: surely all messages, so it is no try; or likely all, though
   * it was answered to this one, so another shows. `isLasting`: until somebody mends it.
   */
  | {
      kind: 'unavailable';
      answer: string;
      about: 'all' | 'likely-all' | 'unknown';
      isLasting?: boolean;
      retryAfterMs?: number;
    }
  /** The row or the address has been deleted. */
  | { kind: 'obsolete' };

export type MailOutcome = Exclude<DeliveryOutcome, { kind: 'obsolete' }>;

export interface Channel {
  name: ChannelName;
  /** The minimum time between two deliveries. */
  paceMs: number;
  /** Whether its messages stay where this site cannot erase them: CHANNELS says where. */
  leavesCopies: boolean;
  /** A delivery that takes longer is aborted. */
  deadlineMs: number;
  /** Throws for bugs only. */
  deliver(
    row: Row<'outbox'>,
    notification: Notification,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome>;
  close?(): void;
}
