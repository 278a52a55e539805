/** How an attempt to pay ended in the browser, whichever provider's fields were used. */
export type PaymentOutcome =
  /** The provider has decided or is deciding; the return address tells which. */
  | { kind: 'decided' }
  /** Turned down, with the reason in words for the customer; another card may do. */
  | { kind: 'refused'; message: string }
  /** Nobody paid for so long that the provider has closed the payment; a new one is needed. */
  | { kind: 'expired' };

/** What the payment form needs of a provider's card fields. */
export interface CardEntry {
  /** Whether everything is filled in; shows what is missing at the fields and moves focus there if not. */
  check(): boolean;
  confirm(clientSecret: string, billing: Billing): Promise<PaymentOutcome>;
}

export interface Billing {
  name: string;
  email: string;
  phone: string | null;
  /** For whom it is bought. */
  company: string | null;
  /** Asked for when sales tax comes on top. */
  postalCode: string | null;
}
