/** What orders need of a payment provider; the test gateway and Stripe both give it. */

import type { PriceLine } from '../catalogue/pricing.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import type { Cents } from '../platform/money.ts';
import type { Dispute, PaymentStatus, Provider } from './order.ts';

type Order = Row<'orders'>;

/**
 * What the provider says of an order: its first payment (`refused` when the last attempt was turned down) and,
 * of a subscription, what has happened since. Whatever stands in `invoices`, `charges` and `ended` is never
 * taken back, so that it may arrive twice, late and in any order.
 */
export interface PaymentState {
  status: PaymentStatus;
  refused: boolean;
  invoices?: readonly BilledInvoice[];
  charges?: readonly ReversedCharge[];
  ended?: boolean;
  /** When the subscription will end, in milliseconds; null when it goes on. */
  endsAt?: number | null;
  /** What a running subscription charges each month. */
  plan?: readonly PriceLine[] | undefined;
  /** What staff should know besides. */
  notes?: readonly string[];
}

/** One month's bill; `createdAt` in milliseconds. */
export interface BilledInvoice {
  id: string;
  createdAt: number;
  amount: Cents;
  paid: boolean;
  /** Unpaid, and no longer due: it was voided or written off. */
  waived?: boolean;
  /** False for the bill that came with the order. */
  renewal: boolean;
  /** The number on the bill, where the provider gives one. */
  number?: string | null;
  /** The month that it is for, in milliseconds. */
  periodStart?: number;
  periodEnd?: number;
  /** The part of the amount that is sales tax. */
  tax?: Cents;
  /** The card that paid, such as 'Visa' and '4242'. */
  cardBrand?: string | null;
  cardLast4?: string | null;
  /** The month's own lines, without what changes in the month before have added or taken off. */
  lines?: readonly PriceLine[];
}

/** A payment of which something was refunded or is disputed. */
export interface ReversedCharge {
  id: string;
  amount: Cents;
  refunded: Cents;
  dispute?: Dispute;
}

/** The ids under which the provider keeps an order's payment, and the secret that lets the browser pay it. */
export interface StartedAtProvider {
  /** Null, as the secret, when the time to pay is over. */
  paymentId: string | null;
  clientSecret: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** What the first payment asks for, tax included. */
  due: Cents;
}

/** 'unavailable': try again later; 'unknown-postal-code': there is no place where the tax could be due. */
export type NotStarted = 'unavailable' | 'unknown-postal-code';

export interface Gateway {
  provider: Provider;
  /** Whether real cards are charged. */
  live: boolean;
  /** Sales tax comes on top, so it must be known where the customer is. */
  tax: boolean;
  /** Starts the order's payment, or finds the one that an earlier call started. */
  start(order: Order): Promise<StartedAtProvider | NotStarted>;
  /** Whether sales tax can be computed for a US postal code: checked before anything is abandoned for an order. */
  checkPostalCode(postalCode: string): Promise<'known' | NotStarted>;
  /** Asks the provider about the order's own payment. */
  fetchPaymentState(order: Order): Promise<PaymentState | 'unavailable'>;
  /** Makes the first payment impossible. 'succeeded': the customer was faster. Also twice. */
  cancelPayment(order: Order): Promise<'canceled' | 'succeeded' | NotDone>;
  /** Gives back part of the newest payment, or all that is left of it; once for each `key`. */
  refund(order: Order, amount: Cents | undefined, key: string): Promise<ReversedCharge | NotDone>;
  /** Ends what would be charged in future: at once, or when the month that has been paid is over. Also twice. */
  cancel(order: Order, when: 'now' | 'period-end'): Promise<Outcome>;
  /** Where staff find the order at the provider; null where the provider has no such page. */
  staffPage(order: Order): string | null;
  /** What time it is for the provider, in milliseconds since 1970; whole seconds, as it counts them. */
  now(): Promise<number>;
  /** What a customer does with a running subscription. */
  subscriptions: Subscriptions;
}

/** Nothing is lost by asking once more: what was begun is found again. */
export function providerUnavailable(): Response {
  return refuse(503, 'Payments are unavailable right now. Please try again.', { retryAfter: 5 });
}

/** Not now and not later, with the reason in words for people. */
export interface Refused {
  refused: string;
}

/** 'unavailable': try again later. */
export type NotDone = 'unavailable' | Refused;
export type Outcome = 'done' | NotDone;

export function isNotDone(outcome: unknown): outcome is NotDone {
  const isRefused = typeof outcome === 'object' && outcome !== null && 'refused' in outcome;
  return outcome === 'unavailable' || isRefused;
}

export function refuseOutcome(outcome: NotDone): Response {
  return outcome === 'unavailable' ? providerUnavailable() : refuse(409, outcome.refused);
}

/** The card that the next month is charged to; `brand` as people write it, such as 'Visa'. */
export interface CardOnFile {
  brand: string;
  last4: string;
  /** 1 to 12, and four digits. */
  expiryMonth: number;
  expiryYear: number;
}

/** The state of a running subscription. Times are milliseconds since 1970. */
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
  change(order: Order, change: SubscriptionChange): Promise<Outcome>;
  /** Takes back that it ends when the paid month is over. Also twice. */
  resume(order: Order): Promise<Outcome>;
  /** Begins to replace the card: the secret lets the browser enter one. */
  startCard(order: Order): Promise<{ clientSecret: string } | NotDone>;
  /** The card that was entered with this secret is charged from now on, and what is overdue at once. Also twice. */
  finishCard(order: Order, clientSecret: string): Promise<Outcome>;
}
