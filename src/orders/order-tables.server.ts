/** Orders, what has been billed for them, and who may see them. */
import type { Generated } from 'kysely';
import type { Flag } from '../platform/database/tables.server.ts';
import type { OrderStatus } from './order.ts';
import type { Dispute, Provider } from './payment.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orders: OrderTable;
    orderAccess: OrderAccessTable;
    orderAccessLinks: OrderAccessLinkTable;
    orderStatuses: OrderStatusTable;
    orderInvoices: OrderInvoiceTable;
    orderCharges: OrderChargeTable;
    orderNotes: OrderNoteTable;
  }
}

interface OrderTable {
  id: Generated<number>;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  /** The quote that was paid by it. */
  quoteId: number | null;
  planId: number;
  /** As it was when the order was made: a plan may be renamed or dropped later. */
  planName: string;
  paymentMethod: string;
  ms365Option: string;
  ms365Users: number;
  includeCloudBackup: Flag;
  status: OrderStatus;
  amountCents: number;
  /** The breakdown that adds up to the amount, as it was shown: JSON of `PriceLine[]`. */
  priceLines: Generated<string>;
  provider: Provider;
  /** Placed while real cards were charged; null when that was not kept yet. */
  live: Flag | null;
  paymentId: string | null;
  clientSecret: string | null;
  /** Stripe's ids, once they exist. */
  customerId: string | null;
  subscriptionId: string | null;
  refundedCents: number;
  dispute: Dispute | null;
  idempotencyKey: string | null;
  requestHash: string;
  /** For the tax, where it is on. */
  postalCode: string | null;
  /** What an invoice asks for: the amount, plus the tax where it is on. */
  dueCents: number | null;
  /** What the first invoice asked for, where the plan has been changed since. */
  firstDueCents: number | null;
  /** Counts the requests for a subscription that Stripe has refused for good. */
  attempt: Generated<number>;
  /** When the subscription ends, once that has been decided. */
  endsAt: number | null;
  /** 1 once the provider has said that it charges no more. */
  subscriptionEnded: Generated<Flag>;
  /** Raised whenever the order follows its payment: an answer of the provider that was asked for before is outdated. */
  version: Generated<number>;
  /** Raised when staff revoke the links that have been sent. */
  linkVersion: Generated<number>;
  /** For receipts: a few lines, where the customer has entered them. */
  billingAddress: string | null;
  createdAt: number;
}

/** Who may see an order besides staff: the browsers that hold the capability with this hash. */
interface OrderAccessTable {
  orderId: number;
  keyHash: string;
}

/** A link that admits one browser more, kept as a hash until it is used or too old. */
interface OrderAccessLinkTable {
  keyHash: string;
  orderId: number;
  at: number;
}

interface OrderStatusTable {
  id: Generated<number>;
  orderId: number;
  status: OrderStatus;
  at: number;
  cause: string;
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
  /** What is said of the bill where the provider tells it: its number, its month, the tax in it and the card. */
  number: string | null;
  periodStart: number | null;
  periodEnd: number | null;
  taxCents: number | null;
  cardBrand: string | null;
  cardLast4: string | null;
  /** The month's lines in force when the bill was made: JSON of `PriceLine[]`. */
  lines: Generated<string>;
  /** When it was first known to be paid. */
  paidAt: number | null;
}

/** Payments of which something has been refunded or is in dispute. */
interface OrderChargeTable {
  id: string;
  orderId: number;
  amountCents: number;
  refundedCents: number;
  dispute: Dispute | null;
}

/** What staff should know of an order besides its statuses. */
interface OrderNoteTable {
  id: Generated<number>;
  orderId: number;
  at: number;
  note: string;
}
