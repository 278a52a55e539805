/** An order: what a visitor may request, and the words for its statuses. */
import * as z from 'zod/mini';

import { type CollectionState, type InvoiceState, isOwed } from '../billing/invoice.ts';
import { awaitsPayment, type OrderStatus } from '../billing/order-status.ts';
import { type Choice, LICENSE, USERS_ERROR } from '../catalogue/pricing.ts';
import { MAX_PO_NUMBER, MAX_POSTAL_CODE, MAX_USERS } from '../limits.ts';
import { emailField, optionalField, phoneField, singleLine } from '../platform/fields.ts';
import { formatDate } from '../platform/time.ts';

/** The customer's own number for what they buy, such as 'PO-4711'. */
export const poNumberField = () =>
  optionalField(
    singleLine({ max: MAX_PO_NUMBER }).check(
      z.regex(
        /^[A-Za-z0-9 \-/._]*$/,
        'Please use letters from A to Z, digits, spaces, and - / . _ only',
      ),
    ),
  );

export const PAYMENT_METHODS = ['credit_card'] as const;

/** A US ZIP code of five or nine digits; read as '30060' or '30060-1234'. */
export const postalCodeField = () =>
  singleLine({ max: MAX_POSTAL_CODE }).check(
    // Any writing of the digits, also after the state.
    z.overwrite((typed) => typed.normalize('NFKC').replace(/^[a-z]{2}(?=\W*\d)|\W/gi, '')),
    z.regex(/^\d{5}(\d{4})?$/, 'The ZIP code must have 5 digits, such as 30060'),
    z.overwrite((digits) => digits.replace(/^\d{5}(?=\d)/, '$&-')),
  );

/** Requires 1 to MAX_USERS users for a Microsoft 365 option. */
export function usersFit<Body extends Choice>() {
  return z.refine<Body>(
    ({ ms365Option, ms365Users }) =>
      ms365Option === 'none' || (ms365Users >= 1 && ms365Users <= MAX_USERS),
    { path: ['ms365Users'], message: USERS_ERROR },
  );
}

export const titleField = () =>
  singleLine({ min: 2, max: 100, tooShort: 'Please enter your title' });

/** `amount`: the price that the visitor saw, in dollars, which is only compared. */
export const orderRequest = z
  .strictObject({
    planId: z.int().check(z.minimum(1, 'Please choose a plan'), z.maximum(2 ** 31 - 1)),
    name: singleLine({ min: 2, max: 100, tooShort: 'Name must be at least 2 characters' }),
    email: emailField(),
    phone: phoneField(),
    company: optionalField(singleLine({ max: 100 })),
    ms365Option: z._default(z.string().check(z.regex(LICENSE)), 'none'),
    /** Ignored without a Microsoft 365 option. */
    ms365Users: z._default(
      z.int(USERS_ERROR).check(z.minimum(0, USERS_ERROR), z.maximum(2 ** 31 - 1, USERS_ERROR)),
      0,
    ),
    includeCloudBackup: z._default(z.boolean(), false),
    amount: z.number(),
    /** Where sales tax is due; required when the site charges it. */
    postalCode: z.optional(postalCodeField()),
    /** The token of a quote, whose choice and prices apply. */
    quote: z.optional(z.string().check(z.maxLength(100))),
    /** The hash of the Safeguards addendum that the visitor saw, where the quote carries it. */
    addendum: z.optional(z.string().check(z.maxLength(64))),
    title: z.optional(titleField()),
    /** The buyer confirmed wanting a second subscription to the same plan. */
    another: z._default(z.boolean(), false),
    /** What the visitor saw to be due at once, where a quote has another first payment. */
    dueToday: z.optional(z.number().check(z.minimum(0), z.maximum(1e9))),
    paymentMethod: z._default(z.enum(PAYMENT_METHODS), 'credit_card'),
  })
  .check(usersFit());

export type OrderBody = z.input<typeof orderRequest>;
export type OrderRequest = z.infer<typeof orderRequest>;

/** Replaces the buyer's details when a person is erased. */
export const ERASED_BUYER = {
  name: 'Erased on request',
  email: '',
  phone: null,
  company: null,
} as const;

export function isErased({ email }: { email: string }): boolean {
  return email === ERASED_BUYER.email;
}

export const END_REASONS = ['price', 'provider', 'closing', 'service', 'other'] as const;
export const END_REASON_WORDS: Record<(typeof END_REASONS)[number], string> = {
  price: 'The price',
  provider: 'Another provider',
  closing: 'The business is closing or sold',
  service: 'The service',
  other: 'Something else',
};

/** 'The price: too dear for us'; '' when nothing was said. */
export function whyItEnds(order: { endReason: string | null; endWords: string | null }): string {
  const reason = END_REASONS.find((one) => one === order.endReason);
  return [reason && END_REASON_WORDS[reason], order.endWords].filter(Boolean).join(': ');
}

/** Named in a refusal when the order with this key can't be paid: a new key is needed. */
export const ORDER_KEY = 'Idempotency-Key';

interface StatusWords {
  staff: string;
  customer: string;
  next: string;
  tone: 'neutral' | 'primary' | 'amber' | 'danger';
  unsold?: true;
}

export const STATUS_WORDS: Record<OrderStatus, StatusWords> = {
  pending: {
    staff: 'Pending',
    customer: 'Not paid yet',
    next: 'No card has been charged.',
    tone: 'neutral',
    unsold: true,
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
    next: 'The monthly total is charged every month until you cancel.',
    tone: 'primary',
  },
  failed: {
    staff: 'Failed',
    customer: 'Payment failed',
    next: 'No card has been charged. You can try again with the same or another card.',
    tone: 'danger',
    unsold: true,
  },
  canceled: {
    staff: 'Canceled',
    customer: 'Canceled',
    next: 'Nothing more will be charged.',
    tone: 'neutral',
  },
  past_due: {
    staff: 'Overdue',
    customer: 'Payment overdue',
    next: 'This month’s payment didn’t go through. Please enter a new card, or contact us.',
    tone: 'danger',
  },
  refunded: {
    staff: 'Refunded',
    customer: 'Refunded',
    next: 'The amount is on its way back, the way you paid it.',
    tone: 'neutral',
  },
};

const NEXT_INVOICE = 'We send an invoice every month until you cancel.';

export const INVOICE_WORDS: Record<InvoiceState, StatusWords> = {
  sent: invoice('Invoice sent', 'amber', 'Please pay the invoice by its due date, by ACH or wire.'),
  debit_under_way: invoice(
    'Bank debit under way',
    'amber',
    'Your bank takes up to 4 business days. You don’t need to do anything.',
  ),
  debit_returned: invoice(
    'Bank debit returned',
    'danger',
    'Your bank returned the payment. Please pay the invoice again, or contact us.',
  ),
  overdue: invoice(
    'Invoice overdue',
    'danger',
    'The due date has passed. Please pay the invoice, or contact us.',
  ),
  paid: invoice('Paid', 'primary', NEXT_INVOICE),
  paid_out_of_band: { ...invoice('Paid outside', 'primary', NEXT_INVOICE), customer: 'Paid' },
  void: {
    ...invoice('Given up', 'neutral', 'The invoice is no longer due. Please don’t pay it.'),
    customer: 'Canceled',
  },
};

function invoice(state: string, tone: StatusWords['tone'], next: string): StatusWords {
  return { staff: state, customer: state, next, tone };
}

/** Where staff have set it up otherwise than by the month. */
export const BY_AGREEMENT = {
  staff: 'Billed by agreement',
  next: 'Your plan is billed as we agreed with you, until you cancel.',
};

interface OrderState {
  status: OrderStatus | null;
  payment: CollectionState;
  /** The day on which the plan starts, while that is to come. */
  startsOn?: string | null;
  endsAt?: string | null;
  /** It is the customer's plan. */
  billable?: boolean;
  paused?: boolean;
}

const FIRST_MONTH = {
  ...STATUS_WORDS.processing,
  next: 'Your first month is being charged. You don’t need to do anything.',
};
const PAUSED: StatusWords = {
  staff: 'Billing paused',
  customer: 'Billing paused',
  next: 'Billing is paused. You aren’t being charged.',
  tone: 'amber',
};

function startWords(startsOn: string): StatusWords {
  const state = `Starts ${formatDate(startsOn)}`;
  const next = `Nothing is charged before ${formatDate(startsOn)}. From then on, the monthly total is charged every month until you cancel.`;
  return { staff: state, customer: state, next, tone: 'primary' };
}

/** 'Starts January 4, 2027', beside what is paid or owed already. */
export function startsInWords({ status, startsOn, endsAt }: OrderState): string | null {
  if (!startsOn || status === 'processing') return null;
  return willNotStart({ startsOn, endsAt }) ? 'Will not start' : startWords(startsOn).staff;
}

/** It is set to end by the day on which it would have started. */
export function willNotStart({ startsOn, endsAt }: Pick<OrderState, 'startsOn' | 'endsAt'>) {
  return Boolean(startsOn && endsAt && endsAt.slice(0, startsOn.length) <= startsOn);
}

/** The words of an order by invoice are its invoice's until that is paid, and once it is void. */
export function wordsOf(order: OrderState): StatusWords | null {
  const { status, payment, startsOn, billable, paused } = order;
  const { state, collection } = payment;
  if (status === 'processing' && startsOn) return startWords(startsOn);
  if (status === 'paid' && startsOn)
    return {
      ...STATUS_WORDS.paid,
      next: `The monthly total is charged from ${formatDate(startsOn)} on, every month until you cancel.`,
    };
  // By invoice, one is said to be sent before there is any.
  if (status === 'processing' && billable && (state === null || state === 'sent'))
    return paused ? PAUSED : FIRST_MONTH;
  // What a card did not pay is said before an invoice that is not due yet.
  const isOverdue = status === 'past_due' && state !== 'overdue' && state !== 'debit_returned';
  const isCharged = collection === 'card' && (status === 'paid' || isOverdue);
  if (status === null || state === null || isCharged) return status && STATUS_WORDS[status];
  const isAsked = awaitsPayment(status) || status === 'past_due';
  if (isAsked || (status === 'canceled' && state === 'void')) return INVOICE_WORDS[state];
  // While a later invoice is owed, or was voided by staff, the plan goes on.
  if (status === 'paid') return INVOICE_WORDS[state === 'paid_out_of_band' ? state : 'paid'];
  return STATUS_WORDS[status];
}

/** The invoice that is still owed on a paid order, or on one that has ended. */
export function renewalWords({ status, payment: { state } }: OrderState): StatusWords | null {
  const isPaidOrEnded = status === 'paid' || status === 'canceled';
  return isPaidOrEnded && isOwed(state) ? INVOICE_WORDS[state] : null;
}
