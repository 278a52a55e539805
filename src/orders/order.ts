/** An order: what a visitor may ask for, the statuses it goes through, and how it is spoken of. */
import * as z from 'zod/mini';
import {
  type Choice,
  MAX_USERS,
  MS365_OPTIONS,
  type PriceLine,
  usersInWords,
  WRONG_USERS,
} from '../catalogue/pricing.ts';
import { emailField, phoneField, singleLine } from '../platform/fields.ts';
import { type Cents, cents } from '../platform/money.ts';

/** The statuses of a payment as all providers and the browser name them, in the words that Stripe uses. */
export const PAYMENT_STATUSES = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'succeeded',
  'canceled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** What a provider says of a client secret; 'unknown': it has no payment with it. */
export type RetrievedStatus = PaymentStatus | 'unknown';

export type Provider = 'test' | 'stripe';

/** How a bank's dispute of a payment stands; what is won or lost stays so. */
export const DISPUTES = ['open', 'won', 'lost'] as const;
export type Dispute = (typeof DISPUTES)[number];

/** Whether the provider's ids are known: of the payment, the subscription, or both. */
export function wasStarted(order: {
  paymentId: string | null;
  subscriptionId: string | null;
}): boolean {
  return order.paymentId !== null || order.subscriptionId !== null;
}

export const PAYMENT_METHODS = ['credit_card'] as const;

/** A ZIP code of the United States. */
export const postalCodeField = () =>
  singleLine({ max: 10 }).check(
    z.regex(/^\d{5}(-\d{4})?$/, 'The ZIP code must have 5 digits, such as 30060'),
  );

/** An option of Microsoft 365 is bought for 1 to MAX_USERS users. */
export function usersFit<Body extends Choice>() {
  return z.refine<Body>(
    ({ ms365Option, ms365Users }) =>
      ms365Option === 'none' || (ms365Users >= 1 && ms365Users <= MAX_USERS),
    { path: ['ms365Users'], message: WRONG_USERS },
  );
}

/** `amount` is what the visitor was shown, in dollars; it is never believed. */
export const orderRequest = z
  .strictObject({
    planId: z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1)),
    name: singleLine({ min: 2, max: 100, tooShort: 'Name must be at least 2 characters' }),
    email: emailField(),
    phone: phoneField(),
    /** For whom the order is; '' counts as no one. */
    company: z.pipe(
      z.nullish(singleLine({ max: 100 })),
      z.transform((value) => value || null),
    ),
    ms365Option: z._default(z.enum(MS365_OPTIONS), 'none'),
    /** Taken as 0 without an option. */
    ms365Users: z._default(
      z.int(WRONG_USERS).check(z.minimum(0, WRONG_USERS), z.maximum(2 ** 31 - 1, WRONG_USERS)),
      0,
    ),
    includeCloudBackup: z._default(z.boolean(), false),
    amount: z.number(),
    /** Where the sales tax is due; required when tax comes on top. */
    postalCode: z.optional(postalCodeField()),
    /** The token of a quote: its choice is paid at its prices. */
    quote: z.optional(z.string().check(z.maxLength(100))),
    /** The buyer knows that the same plan is running already and wants it twice. */
    another: z._default(z.boolean(), false),
    paymentMethod: z._default(z.enum(PAYMENT_METHODS), 'credit_card'),
  })
  .check(usersFit());

/** The body as the browser sends it, without empty fields. */
export type OrderBody = z.input<typeof orderRequest>;
/** As it is read. */
export type OrderRequest = z.infer<typeof orderRequest>;

export const ORDER_STATUSES = [
  'pending',
  'processing',
  'paid',
  'failed',
  'canceled',
  'past_due',
  'refunded',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Until an order is paid, the payment that was begun with it decides; later ones are the provider's to tell. */
export function awaitsPayment(status: OrderStatus): boolean {
  return status === 'pending' || status === 'processing' || status === 'failed';
}

/** Charged every month. */
export function isRunning(status: OrderStatus): boolean {
  return status === 'paid' || status === 'past_due';
}

/** Which status may follow which. `pending → paid` is the payment provider's word alone. */
const NEXT: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['processing', 'failed', 'canceled'],
  processing: ['paid', 'failed', 'canceled'],
  failed: ['processing'],
  paid: ['past_due', 'refunded', 'canceled'],
  past_due: ['paid', 'canceled'],
  canceled: [],
  refunded: [],
};

export function canTransition(
  from: OrderStatus,
  to: OrderStatus,
  by: 'provider' | 'staff',
): boolean {
  if (by === 'provider' && from === 'pending' && to === 'paid') return true;
  return NEXT[from].includes(to);
}

/** The details of any other order may have been typed by a stranger, at no cost. */
export function paysRealMoney(order: { provider: Provider; live: 0 | 1 }): boolean {
  return order.provider === 'stripe' && order.live === 1;
}

/** What a bill asks for on top of the amount. */
export function salesTax(order: { amountCents: number; dueCents: number | null }): Cents {
  return cents(Math.max(0, (order.dueCents ?? 0) - order.amountCents));
}

/** Nothing is charged for the order any more, and no payment brings it back. */
export function isOver(status: OrderStatus): boolean {
  return NEXT[status].length === 0;
}

export const REFUNDABLE: readonly OrderStatus[] = ['paid', 'past_due', 'canceled'];

/** Also one that is refunded: its subscription may still run at the provider. */
export const ENDABLE: readonly OrderStatus[] = ORDER_STATUSES.filter(
  (status) => status !== 'canceled',
);

/** The buyer of an order once the person has been erased; nothing else is left of them. */
export const ERASED_BUYER = {
  name: 'Erased on request',
  email: '',
  phone: null,
  company: null,
} as const;

export function isErased({ email }: { email: string }): boolean {
  return email === ERASED_BUYER.email;
}

/** What a refusal names when the order under that key can no longer be paid: the next try needs another key. */
export const ORDER_KEY = 'Idempotency-Key';

/** The number under which a customer, staff and emails speak of an order: 'O-12'. */
export function orderReference(id: number): string {
  return `O-${id}`;
}

/** What happens to an order once it is paid, as the title of what staff read before the order's number. */
export const ORDER_EVENTS = {
  'order-paid': 'New order',
  'order-renewed': 'Renewal of order',
  'order-renewal-failed': 'Failed renewal of order',
  'order-disputed': 'Dispute on order',
  'order-refunded': 'Refund for order',
  'order-changed': 'Change of order',
  'order-card-replaced': 'New card for order',
  'order-ending': 'Cancellation of order',
  'order-ended': 'End of order',
  'order-paid-after-end': 'Payment after the end of order',
} as const;
export type OrderEvent = keyof typeof ORDER_EVENTS;

export function isOrderEvent(kind: string): kind is OrderEvent {
  return kind in ORDER_EVENTS;
}

interface StatusWords {
  staff: string;
  customer: string;
  /** What happens next, for the customer. */
  next: string;
  tone: 'neutral' | 'primary' | 'amber' | 'danger';
}

export const STATUS_WORDS: Record<OrderStatus, StatusWords> = {
  pending: {
    staff: 'Pending',
    customer: 'Not paid yet',
    next: 'No card has been charged.',
    tone: 'neutral',
  },
  processing: {
    staff: 'Processing',
    customer: 'Payment in progress',
    next: 'Your bank is still deciding. If it asked for your approval, please give it, or pay again.',
    tone: 'amber',
  },
  paid: {
    staff: 'Paid',
    customer: 'Paid',
    next: 'The same amount is charged every month until you cancel.',
    tone: 'primary',
  },
  failed: {
    staff: 'Failed',
    customer: 'Payment failed',
    next: 'No card has been charged. You can try again with the same or another card.',
    tone: 'danger',
  },
  canceled: {
    staff: 'Canceled',
    customer: 'Canceled',
    next: 'Nothing more will be charged.',
    tone: 'neutral',
  },
  past_due: {
    staff: 'Past due',
    customer: 'Payment overdue',
    next: 'This month could not be charged. Please check your card, or contact us.',
    tone: 'danger',
  },
  refunded: {
    staff: 'Refunded',
    customer: 'Refunded',
    next: 'The amount is on its way back to your card.',
    tone: 'neutral',
  },
};

/** What a customer can change of a plan. */
export interface PlanOptions {
  users: number;
  backup: boolean;
}

export function planOptions(lines: readonly PriceLine[]): PlanOptions {
  const quantity = (kind: PriceLine['kind']) => lines.find((line) => line.kind === kind)?.quantity;
  return { users: quantity('microsoft365') ?? 0, backup: quantity('backup') !== undefined };
}

export function samePlanOptions(one: PlanOptions, other: PlanOptions): boolean {
  return one.users === other.users && one.backup === other.backup;
}

/** '10 users with cloud backup'. */
export function planInWords(order: { ms365Users: number; includeCloudBackup: 0 | 1 }): string {
  const { ms365Users: users, includeCloudBackup: backup } = order;
  return `${usersInWords(users)} ${backup ? 'with' : 'without'} cloud backup`;
}

/** The same time of the day so many months later; where the month is too short, on its last day. In UTC. */
export function monthsLater(start: Date, months: number): Date {
  const later = new Date(start);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0));
  later.setUTCDate(Math.min(start.getUTCDate(), lastDay.getUTCDate()));
  return later;
}
