/** What orders need of a payment provider; the test gateway and Stripe both give it. */
import type { PriceLine } from '../catalogue/pricing.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import type { Cents } from '../platform/money.ts';
import type { Dispute, PaymentStatus, Provider } from './payment.ts';
import type { NotDone, StaffOutcome, Subscriptions } from './subscription.server.ts';

/**
 * What the provider says of an order: its first payment (`refused` when the last attempt was turned down) and,
 * of a subscription, what has happened since. Whatever stands in `invoices`, `charges` and `ended` is never
 * taken back, so that it may be heard twice, late and in any order.
 */
export interface PaymentState {
  status: PaymentStatus;
  refused: boolean;
  invoices?: readonly BilledInvoice[];
  charges?: readonly ReversedCharge[];
  ended?: boolean;
  /** When the subscription will end, in milliseconds; null when it goes on. */
  endsAt?: number | null;
  /** What a running subscription charges each month, and the next bill that its customer confirmed with the last change. */
  plan?: { lines: readonly PriceLine[]; next?: { at: number; total: Cents } | undefined };
  /** What staff should know besides. */
  notes?: readonly string[];
}

/** One month's bill; `createdAt` in milliseconds. */
export interface BilledInvoice {
  id: string;
  createdAt: number;
  amount: Cents;
  paid: boolean;
  /** Unpaid, and no longer asked for: it was voided or written off. */
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

/** A payment of which something was given back or is disputed. */
export interface ReversedCharge {
  id: string;
  amount: Cents;
  refunded: Cents;
  dispute?: Dispute;
}

/** The ids under which the provider keeps an order's payment, and the secret that lets the browser pay it. */
export interface StartedAtProvider {
  /** Null, as the secret, when there is nothing to pay: a credit covers it, or the time for it is over. */
  paymentId: string | null;
  clientSecret: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** What the first payment asks for, tax included. */
  due: Cents;
}

export type { StaffOutcome };

/** 'unavailable': try again later; 'unknown-postal-code': there is no place where the tax could be due. */
export type NotStarted = 'unavailable' | 'unknown-postal-code';

export interface Gateway {
  provider: Provider;
  /** Whether real cards are charged. */
  live: boolean;
  /** Sales tax comes on top, so it must be known where the customer is. */
  tax: boolean;
  /** Starts the order's payment, or finds the one that an earlier call started. */
  start(order: Row<'orders'>): Promise<StartedAtProvider | NotStarted>;
  /** Whether sales tax can be computed for a US postal code: asked before anything is given up for an order. */
  checkPostalCode(postalCode: string): Promise<'known' | NotStarted>;
  /** Asks the provider about the order's own payment. */
  fetchPaymentState(order: Row<'orders'>): Promise<PaymentState | 'unavailable'>;
  /**
   * Makes the first payment impossible. 'succeeded': the customer was faster. Also twice.
   */
  cancelPayment(order: Row<'orders'>): Promise<'canceled' | 'succeeded' | 'unavailable'>;
  /** Gives back part of the newest payment, or all that is left of it; once for each `key`. */
  refund(
    order: Row<'orders'>,
    amount: Cents | undefined,
    key: string,
  ): Promise<ReversedCharge | NotDone>;
  /** Ends what would be charged in future: at once, or when the month that has been paid is over. Also twice. */
  cancel(order: Row<'orders'>, when: 'now' | 'period-end'): Promise<StaffOutcome>;
  /** Where staff find the order at the provider; null where the provider has no such page. */
  staffPage(order: Row<'orders'>): string | null;
  /** What time it is for the provider, in milliseconds since 1970; whole seconds, as it counts them. */
  now(): Promise<number>;
  /** What a customer does with a running subscription. */
  subscriptions: Subscriptions;
}

/** Nothing is lost by asking once more: what was begun is found again. */
export function providerUnavailable(): Response {
  return refuse(503, 'Payments are unavailable right now. Please try again.', { retryAfter: 5 });
}
