/** What a payment provider's folder brings to the browser. */
import type { ComponentType, Ref } from 'react';

/** The statuses of a payment; each provider's own are mapped to these. */
export const PAYMENT_STATUSES = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'succeeded',
  'canceled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * The payment behind a client secret: 'saved' where nothing was due and the card is kept, 'unknown'
 * when the provider has none.
 */
export type RetrievedStatus = PaymentStatus | 'saved' | 'unknown';

export interface ProviderInBrowser {
  CardFields: ComponentType<CardFieldsProps>;
  /** Rejects when the provider cannot be reached. */
  retrieveStatus(clientSecret: string): Promise<RetrievedStatus>;
  /**
   * Goes on with a payment at the bank: opens its window, or gives the buyer's answer in a test.
   */
  continuePayment(clientSecret: string, approve: boolean): Promise<unknown>;
}

export interface CardFieldsProps {
  ref: Ref<CardEntry>;
  /** The choice can be saved as a quote on this page, where no card is needed. */
  savesQuotes?: boolean;
  /** Called with true while the bank's 3-D Secure window is open: a modal dialog would cover it. */
  onAuthenticating?: (open: boolean) => void;
}

export type PaymentOutcome =
  /** The payment succeeded or is still processing; the return page finds out which. */
  | { kind: 'decided' }
  /** Declined, with a reason that the card fields show; another card may work. */
  | { kind: 'refused'; message: string }
  /** The provider has closed the payment, unpaid for too long; a new one is needed. */
  | { kind: 'expired' };

/** What the payment form needs from a provider's card fields. */
export interface CardEntry {
  /** Whether all fields are valid; otherwise shows errors and focuses the first faulty field. */
  check(): boolean;
  confirm(clientSecret: string, billing: BillingDetails): Promise<PaymentOutcome>;
}

export interface BillingDetails {
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  /** Required when sales tax is added. */
  postalCode: string | null;
}
