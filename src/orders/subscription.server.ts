/** What a customer sees and changes of a running subscription; the test gateway and Stripe both do it. */
import type { PriceLine } from '../catalogue/pricing.ts';
import type { Row } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';

type Order = Row<'orders'>;
/** 'unavailable': try again later; `refused`: not now and not later, with the reason in words for people. */
export type StaffOutcome = 'done' | 'unavailable' | { refused: string };
export type NotDone = Exclude<StaffOutcome, 'done'>;

/** The card that the next month is charged to; `brand` as people write it, such as 'Visa'. */
export interface CardOnFile {
  brand: string;
  last4: string;
  /** 1 to 12, and four digits. */
  expiryMonth: number;
  expiryYear: number;
}

/** How a running subscription stands. Times are milliseconds since 1970. */
export interface RunningSubscription {
  /** When the month that is paid is over: the next charge, or the end. */
  periodEnd: number;
  /** What the next bill asks for in all, tax and differences included; null where none will come. */
  next: { total: Cents; tax: Cents } | null;
  card: CardOnFile | null;
}

export interface SubscriptionChange {
  /** All lines of a month from then on. */
  lines: readonly PriceLine[];
  /** From when they count, in whole seconds (as milliseconds): what was shown and what is charged go by one moment. */
  at: number;
  /** The next bill as the customer has confirmed it; kept with the change for the email about it. */
  next?: { at: number; total: Cents };
}

/** What a change comes to. No money moves until the next bill. */
export interface ChangePreview {
  /** A month from then on, before tax. */
  monthly: Cents;
  /** For what is left of the month that has been paid, before tax: on top of the next bill, or off it when negative. */
  difference: Cents;
  /** The next bill in all, as it would be. */
  next: { at: number; total: Cents; tax: Cents };
}

export interface Subscriptions {
  getSubscription(order: Order): Promise<RunningSubscription | NotDone>;
  preview(order: Order, change: SubscriptionChange): Promise<ChangePreview | NotDone>;
  /** What it comes to is what `preview` says of the same moment. The order follows by the state's `plan`. Also twice. */
  change(order: Order, change: SubscriptionChange): Promise<StaffOutcome>;
  /** Takes back that it ends when the paid month is over. Also twice. */
  resume(order: Order): Promise<StaffOutcome>;
  /** Begins to replace the card: the secret lets the browser enter one. */
  startCard(order: Order): Promise<{ clientSecret: string } | NotDone>;
  /** The card that was entered with this secret is charged from now on, and what is overdue at once. Also twice. */
  finishCard(order: Order, clientSecret: string): Promise<StaffOutcome>;
}
