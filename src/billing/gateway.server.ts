/**
 * What orders need from a payment provider; each folder of src/payments implements it. `pressId`:
 * the event of who asked, for the provider to keep where it can.
 */
import type { PriceLine } from '../catalogue/pricing.ts';
import type { Cents } from '../platform/money.ts';
import type { Order } from './billed-order.server.ts';
import type { ReportedCharge } from './charge-store.server.ts';
import type { Alert } from './event-kinds.server.ts';
import type { PaymentAttempt } from './invoice.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';
import type { NotDone, Outcome, Refused } from './outcome.server.ts';
import type { Collection, Sold, SubscriptionStatus } from './subscription.ts';

export interface RefundPart {
  charge: string;
  amount: Cents;
}

/** What the provider knows of an order's subscription. What is left out keeps its stored value. */
export interface PaymentState {
  status?: SubscriptionStatus;
  /** The newest attempt to pay the first month by card. */
  attempt?: PaymentAttempt | null;
  invoices?: readonly ReportedInvoice[];
  charges?: readonly ReportedCharge[];
  /** When the subscription is scheduled to end, in milliseconds since 1970; null when it is not. */
  cancelAt?: number | null;
  endedAt?: number | undefined;
  /** What a bill of what was left at the end will ask for. */
  lastBill?: Cents | undefined;
  /** How it is paid from the next month on: staff may change it at the provider. */
  collection?: Collection;
  daysUntilDue?: number | null;
  /** How often it charges, such as 'year' or '3 months'; null: each month. */
  billedEvery?: string | null;
  lines?: readonly PriceLine[];
  sold?: Sold;
  /** The press that the provider names as the one of the newest change. */
  changePress?: number | undefined;
  /** The sales tax on these lines, where the provider has computed it. */
  monthlyTax?: Cents;
  /** The newest card that replaced another: its entry's id, and 'Visa ending in 4242'. */
  replacement?: { id: string; card: string | null };
  /** What the company owes the customer, besides refunds. */
  creditCents?: Cents;
  waiting?: readonly WaitingItem[];
  /** Who is billed, as the provider has it; null for what it does not know. */
  customer?: Record<'name' | 'email' | 'phone' | 'postalCode' | 'address', string | null>;
  /** The day of the first month to come, such as '2027-01-04'. */
  startsOn?: string;
  /** What staff must look into, such as an invoice that will not be charged; of each once. */
  alerts?: readonly Alert[];
  /** Nothing can be paid any more: the payment was canceled, and open invoices are void. */
  abandoned?: boolean;
}

/** A credit, below zero, or a charge for the rest of a month, which waits for the next bill. */
export interface WaitingItem {
  id: string;
  amount: Cents;
}

export interface ProviderPayment {
  /** Null, like the secret, once the time to pay is over. */
  paymentId: string | null;
  clientSecret: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** Tax included: the month, which repeats, and what is charged once. */
  due: { month: Cents; once: Cents };
}

/** No tax can be computed for the postal code, or the provider takes no such address. */
export type NotTaken = 'unknown-postal-code' | 'invalid-email';
/** 'unavailable': try again later. */
export type NotStarted = 'unavailable' | 'refused' | NotTaken;

export interface Gateway {
  /** As orders store it. */
  provider: string;
  /** As people read it. */
  name: string;
  chargesRealMoney: boolean;
  /** Whether payments change orders in the same transaction, so that asking brings nothing new. */
  updatesOrders: boolean;
  /** Whether sales tax is charged, which needs the customer's postal code. */
  tax: boolean;
  /**
   * Starts the payment, or returns one that was started. By invoice, issues and sends the first.
   */
  start(order: Order): Promise<ProviderPayment | NotStarted>;
  /** Checked before a quote's other order is abandoned: a wrong postal code must not cost that. */
  checkPostalCode(postalCode: string): Promise<'known' | NotStarted>;
  fetchPaymentState(order: Order): Promise<PaymentState | 'unavailable'>;
  /** Cancels the first payment; 'succeeded' when the customer paid first. Idempotent. */
  cancelPayment(order: Order): Promise<'canceled' | 'succeeded' | NotDone>;
  /** Refunds so much of each charge, once for each `decision`. */
  refund(
    order: Order,
    parts: readonly RefundPart[],
    asked: { decision: string; pressId: number },
  ): Promise<Outcome>;
  /** Settles an invoice that was paid in another way. Idempotent. */
  markPaid(order: Order, invoiceId: string, pressId: number): Promise<Outcome>;
  /** The provider's pages for open invoices, by their ids; null where there are none. */
  invoicePages: ((order: Order) => Promise<ReadonlyMap<string, string> | NotDone>) | null;
  /** Gives the customer at the provider the order's name, email and phone. Idempotent. */
  setCustomer(order: Order): Promise<Outcome>;
  /** Names the purchase order number on the invoices to come; null for none. Idempotent. */
  setPoNumber(order: Order, poNumber: string | null): Promise<Outcome>;
  /** Ends the subscription at once, with its open invoices, or with the month. Idempotent. */
  cancel(order: Order, when: 'now' | 'period-end', pressId?: number): Promise<Outcome>;
  customerUrl(customerId: string): string | null;
  subscriptions: Subscriptions;
  /**
   * Charges these unit prices from the next renewal on, without proration, and checks that its
   * invoice shows them. `renewal`: if that is the one of this day; null: whichever it is. Each
   * `key` is made once. Null where announced prices are looked up at each renewal.
   */
  setPrices:
    | ((
        order: Order,
        prices: readonly PriceLine[],
        asked: { renewal: number | null; key: string },
      ) => Promise<Outcome | Unchanged | OtherRenewal>)
    | null;
}

/** What is charged for the next month; `brand` is a display name such as 'Visa' or 'Link'. */
export interface CardOnFile {
  brand: string;
  /** Null where there are none, as of a wallet. */
  last4: string | null;
  /** 1 to 12, and four digits; null of a test card, of which nothing typed is kept. */
  expiryMonth: number | null;
  expiryYear: number | null;
  /** A bank account, which takes a card's place. */
  isBank?: boolean;
}

/** The state of a running subscription. Times are milliseconds since 1970. */
export interface RunningSubscription {
  /** When the paid month ends: the time of the next charge or of the end. */
  periodEnd: number;
  /** The next invoice's total with tax and prorations; null when there will be none. */
  next: { total: Cents; tax: Cents } | null;
  card: CardOnFile | null;
}

/** Unit prices that hold from the first renewal that begins after `at` on. */
export interface PricesToCome {
  prices: readonly PriceLine[];
  at: number;
}

/** Nothing was changed: these lines are there, and maybe some that cannot be read. */
export interface Unchanged extends Refused {
  lines: readonly PriceLine[];
}

/** The renewal was another one than expected. */
export interface OtherRenewal {
  renewsAt: number;
  /** What the present month was billed, be it a draft; null if it began before the expected day. */
  billed: { invoice: string; amount: Cents; atNewPrices: boolean } | null;
}

export interface SubscriptionChange {
  lines: readonly PriceLine[];
  sold?: Sold;
  /** When the change takes effect: preview and change must agree on it, in whole seconds. */
  at: number;
  /** What the next invoice may be charged at. */
  toCome?: PricesToCome;
  /** When the customer confirmed it, if later: what is used until then cannot be undone. */
  confirmedAt?: number;
}

/** The price of a change. Nothing is charged until the next invoice. */
export interface ChangePreview {
  /** The new monthly price before tax; null where the provider does not say it apart. */
  monthly: Cents | null;
  /**
   * What the next invoice adds for this month, before tax; null where it is charged from the next.
   */
  difference: Cents | null;
  next: { at: number; total: Cents; tax: Cents };
}

export interface Subscriptions {
  /** The next invoice is at the prices that will hold then. */
  getSubscription(order: Order, toCome?: PricesToCome): Promise<RunningSubscription | NotDone>;
  preview(order: Order, change: SubscriptionChange): Promise<ChangePreview | NotDone>;
  /**
   * Costs what `preview` returned. The subscription follows from the state's `lines`. Idempotent.
   */
  change(order: Order, change: SubscriptionChange, pressId?: number): Promise<Outcome>;
  resume(order: Order, pressId?: number): Promise<Outcome>;
  startCard(order: Order): Promise<{ clientSecret: string } | NotDone>;
  /** Charges this secret's card from now on, and an overdue amount at once. Idempotent. */
  finishCard(order: Order, clientSecret: string): Promise<Outcome>;
}
