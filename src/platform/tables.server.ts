/**
 * The database's tables, the same on SQLite and PostgreSQL. Money is integer cents, times are milliseconds
 * since 1970 (UTC), flags are 0 or 1, lists are JSON text, so that both engines store and answer alike.
 */
import type { Generated, Insertable, Selectable } from 'kysely';
import type { ChannelName, DeliveryState } from '../notify/delivery.ts';

type Flag = 0 | 1;

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

interface OrderTable {
  id: Generated<number>;
  name: string;
  email: string;
  phone: string | null;
  planId: number;
  /** As it was when the order was made: a plan may be renamed or dropped later. */
  planName: string;
  paymentMethod: string;
  ms365Option: string;
  ms365Users: number;
  includeCloudBackup: Flag;
  status: string;
  amountCents: number;
  /** The breakdown that adds up to the amount, as it was shown: JSON of `PriceLine[]`. */
  priceLines: Generated<string>;
  provider: string;
  /** Placed while real cards were charged; null when that was not kept yet. */
  live: Flag | null;
  paymentId: string | null;
  clientSecret: string | null;
  /** Stripe's ids, once they exist. */
  customerId: string | null;
  subscriptionId: string | null;
  refundedCents: number;
  dispute: string | null;
  idempotencyKey: string | null;
  requestHash: string;
  /** For the tax, where it is on. */
  postalCode: string | null;
  /** What the first invoice asks for: the amount, plus the tax where it is on. */
  dueCents: number | null;
  /** Counts the requests for a subscription that Stripe has refused for good. */
  attempt: Generated<number>;
  /** When the subscription ends, once that has been decided. */
  endsAt: number | null;
  /** 1 once the provider has said that it charges no more. */
  subscriptionEnded: Generated<Flag>;
  createdAt: number;
}

/** Each month's bill; 'paid' and 'waived' are never taken back. */
interface OrderInvoiceTable {
  id: string;
  orderId: number;
  createdAt: number;
  amountCents: number;
  paid: Flag;
  /** 1: the provider asks for it no more. */
  waived: Generated<Flag>;
}

/** Payments of which something has been given back or is in dispute. */
interface OrderChargeTable {
  id: string;
  orderId: number;
  amountCents: number;
  refundedCents: number;
  /** open, won or lost. */
  dispute: string | null;
}

/** What staff should know of an order besides its statuses. */
interface OrderNoteTable {
  id: Generated<number>;
  orderId: number;
  at: number;
  note: string;
}

/** Stripe's events that have been dealt with; `settled` 0 waits for Stripe's API to be asked. */
interface StripeEventTable {
  id: string;
  type: string;
  orderId: number | null;
  /** 1: it came signed; 0: found by asking. */
  signed: Flag;
  settled: Flag;
  receivedAt: number;
}

/** Until when all of Stripe's events have been asked for and settled. */
interface StripeHeardTable {
  mode: 'live' | 'test';
  until: number;
}

/** One Stripe customer per address; what it is made with is fixed before Stripe is asked. */
interface StripeCustomerTable {
  email: string;
  key: string;
  name: string;
  phone: string | null;
  customerId: string | null;
}

/** Keys that sign links, made once per database. */
interface SigningKeyTable {
  name: string;
  key: string;
}

/** Who may see an order besides staff: the browsers that hold the capability with this hash. */
interface OrderAccessTable {
  orderId: number;
  keyHash: string;
}

interface OrderStatusTable {
  id: Generated<number>;
  orderId: number;
  status: string;
  at: number;
  cause: string;
}

/** The test gateway's memory. */
interface TestPaymentTable {
  id: string;
  clientSecret: string;
  orderId: number;
  amountCents: number;
  status: string;
  createdAt: number;
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

export interface Tables {
  plans: PlanTable;
  services: ServiceTable;
  solutions: SolutionTable;
  testimonials: TestimonialTable;
  orders: OrderTable;
  orderAccess: OrderAccessTable;
  orderStatuses: OrderStatusTable;
  orderInvoices: OrderInvoiceTable;
  orderCharges: OrderChargeTable;
  orderNotes: OrderNoteTable;
  stripeEvents: StripeEventTable;
  stripeHeard: StripeHeardTable;
  stripeCustomers: StripeCustomerTable;
  signingKeys: SigningKeyTable;
  testPayments: TestPaymentTable;
  contactSubmissions: ContactSubmissionTable;
  chatMessages: ChatMessageTable;
  users: UserTable;
  sessions: SessionTable;
  audit: AuditTable;
  accessLog: AccessLogTable;
  accessTallies: AccessTallyTable;
  accessVisitors: AccessVisitorTable;
  accessKeys: AccessKeyTable;
  outbox: OutboxTable;
  outboxPace: OutboxPaceTable;
}

export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>;
