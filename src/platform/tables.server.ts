/**
 * The database's tables, the same on SQLite and PostgreSQL. Money is integer cents, times are milliseconds
 * since 1970 (UTC), flags are 0 or 1, lists are JSON text, so that both engines store and answer alike.
 */
import type { Generated, Insertable, Selectable } from 'kysely';
import type { ChannelName, DeliveryState } from '../notify/delivery.ts';
import type { Flag, OrderTables } from './order-tables.server.ts';

interface PlanTable {
  id: number;
  name: string;
  priceCents: number;
  description: string;
  popular: Flag;
  features: string;
  position: number;
}

interface ServiceTable {
  id: number;
  name: string;
  description: string;
  shortDescription: string;
  priceCents: number;
  priceType: string;
  image: string;
  features: string;
  position: number;
}

interface SolutionTable {
  id: number;
  name: string;
  description: string;
  industry: string;
  image: string;
  features: string;
  position: number;
}

interface TestimonialTable {
  id: number;
  name: string;
  company: string;
  comment: string;
  rating: number;
  image: string | null;
  position: number;
}

interface ContactSubmissionTable {
  id: Generated<number>;
  name: string;
  email: string;
  phone: string | null;
  service: string | null;
  message: string;
  /** new, answered or spam. */
  mark: string;
  createdAt: number;
}

interface ChatMessageTable {
  id: Generated<number>;
  conversation: string;
  name: string | null;
  email: string | null;
  message: string;
  response: string;
  mark: string;
  createdAt: number;
}

interface UserTable {
  id: Generated<number>;
  username: string;
  passwordHash: string;
  /** The hash of the environment's password that was taken over last, whatever password holds now. */
  environmentHash: string | null;
}

interface SessionTable {
  tokenHash: string;
  userId: number;
  createdAt: number;
  lastSeenAt: number;
  /** Where it was opened: a shortened address, and the browser's own name for itself. */
  address: string;
  userAgent: string;
}

/** Failed sign-ins of those who share a bucket, since the first of the last 15 minutes. */
interface SignInFailureTable {
  bucket: number;
  since: number;
  failures: number;
}

/** What happened at the staff's door. */
interface AuditTable {
  id: Generated<number>;
  at: number;
  kind: string;
  username: string;
  address: string;
  detail: string;
}

/** The requests of up to a second: as text they cost a tenth of what a row for each would, to write and to read. */
interface AccessLogTable {
  id: Generated<number>;
  /** When the first and the last of them came. */
  firstAt: number;
  lastAt: number;
  /** Characters of the lines. */
  size: number;
  /** 0 once they are a day old and hold no address any more. */
  addresses: Flag;
  /** One of CSV for each request, newest first. */
  lines: string;
}

/** What one server counted within one minute or hour; those of several servers add up. */
interface AccessTallyTable {
  id: string;
  span: 'minute' | 'hour';
  /** When the minute or hour began. */
  bucket: number;
  /** As tally.server.ts writes them. */
  counts: string;
}

/** Who came within the last day, under a number that nobody can make again once its day's key is gone. */
interface AccessVisitorTable {
  visitor: number;
  /** The minute, in milliseconds. */
  lastSeen: number;
}

interface AccessKeyTable {
  /** '2026-05-13' */
  day: string;
  secret: string;
}

/** One row: requests up to this moment are counted, but the details of some of them are gone. */
interface AccessDroppedTable {
  id: number;
  until: number;
}

/** What was written to see whether an order could be. */
interface WriteTrialTable {
  id: string;
  ballast: string;
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

export interface Tables extends OrderTables {
  plans: PlanTable;
  services: ServiceTable;
  solutions: SolutionTable;
  testimonials: TestimonialTable;
  contactSubmissions: ContactSubmissionTable;
  chatMessages: ChatMessageTable;
  users: UserTable;
  sessions: SessionTable;
  signInFailures: SignInFailureTable;
  audit: AuditTable;
  accessLog: AccessLogTable;
  accessTallies: AccessTallyTable;
  accessVisitors: AccessVisitorTable;
  accessKeys: AccessKeyTable;
  accessDropped: AccessDroppedTable;
  writeTrials: WriteTrialTable;
  outbox: OutboxTable;
  outboxPace: OutboxPaceTable;
}

export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>;
