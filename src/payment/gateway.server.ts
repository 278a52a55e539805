/** What the checkout needs of a payment provider; the test gateway and Stripe both give it. */
import type { AnyCall } from '../platform/call.server.ts';
import type { Row } from '../platform/tables.server.ts';
import type { PaymentConfig, PaymentStatus } from './payment.ts';

/** What the provider knows of one payment; `refused` when the last attempt to pay was turned down. */
export interface PaymentState {
  status: PaymentStatus;
  refused: boolean;
}

/** The ids under which the provider keeps an order's payment, and the secret that lets the browser pay it. */
export interface StartedAtProvider {
  paymentId: string;
  clientSecret: string;
  customerId: string | null;
  subscriptionId: string | null;
}

export interface Gateway {
  config: PaymentConfig;
  /** Starts the order's payment, or finds the one that an earlier call started. 'away': try again later. */
  start(order: Row<'orders'>): Promise<StartedAtProvider | 'away'>;
  /** Asks the provider about the order's own payment. */
  look(order: Row<'orders'>): Promise<PaymentState | 'away'>;
  /** The calls under /api that only this provider needs. */
  calls: AnyCall[];
}
