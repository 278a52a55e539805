/** What Stripe has told, and the test gateway's payments. */
import type { Flag } from '../platform/database/tables.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    stripeEvents: StripeEventTable;
    stripeHeard: StripeHeardTable;
    testPayments: TestPaymentTable;
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
