/** What Stripe has told, and the test gateway's payments. */
import type { Generated } from 'kysely';
import type { Flag } from '../platform/database/tables.server.ts';
import type { TestToken } from './test-gateway/test-cards.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    stripeEvents: StripeEventTable;
    stripeHeard: StripeHeardTable;
    testPayments: TestPaymentTable;
    testSubscriptions: TestSubscriptionTable;
    testChanges: TestChangeTable;
    testCards: TestCardTable;
    testClock: TestClockTable;
  }
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

/** The test gateway's memory. */
interface TestPaymentTable {
  id: string;
  clientSecret: string;
  orderId: number;
  amountCents: number;
  status: string;
  createdAt: number;
}

/** A subscription of the test gateway, which is billed month after month; times are in whole seconds. */
interface TestSubscriptionTable {
  orderId: number;
  /** The moment from which months are counted. */
  startedAt: number;
  /** How many have passed. */
  months: number;
  periodStart: number;
  periodEnd: number;
  /** What a month is charged with: JSON of `PriceLine[]`. */
  lines: string;
  /** When the lines were changed last, and the dearest month that stood on that day. */
  changedAt: Generated<number>;
  peakCents: Generated<number>;
  /** What an earlier bill had too much. */
  creditCents: number;
  status: 'active' | 'past_due' | 'ended';
  /** 1: it ends with its period. */
  ending: Flag;
  /** How many bills there have been. */
  bills: number;
  /** What the bill asks for that could not be charged. */
  openCents: number | null;
  /** How often it was charged in vain. */
  tries: number;
  /** When something happens next; null once it has ended. */
  nextAt: number | null;
  cardToken: TestToken;
  cardLast4: string;
  cardYear: number;
}

/** What a change comes to for the rest of a month, until a bill has taken it in. */
interface TestChangeTable {
  orderId: number;
  key: string;
  at: number;
  cents: number;
  billed: Flag;
}

/** A card that somebody enters in place of another. */
interface TestCardTable {
  clientSecret: string;
  orderId: number;
  status: string;
  token: TestToken;
  last4: string;
  used: Flag;
  createdAt: number;
}

/** How far the time of the test gateway is ahead; one row. */
interface TestClockTable {
  id: number;
  aheadMs: number;
}
