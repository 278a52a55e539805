/** What happens to an order, as facts: all texts are made of them. None holds a person's data. */
import * as z from 'zod/mini';
import { LINE_KINDS } from '../catalogue/pricing.ts';
import { cents } from '../platform/money.ts';
import { INVOICE_STATES } from './invoice.ts';
import { ORDER_STATUSES } from './order-status.ts';
import { DISPUTES } from './subscription.ts';

const money = z.pipe(z.int(), z.transform(cents));
/** Milliseconds since 1970. */
const time = z.int();

const line = z.object({
  kind: z.enum(LINE_KINDS),
  label: z.string(),
  unitPrice: money,
  quantity: z.int(),
  amount: money,
  off: z.optional(z.object({ label: z.string(), amount: money })),
});
const lines = z.readonly(z.array(line));

/** Without lines: see `isByAgreement`. */
const monthly = z.object({ lines, tax: money, startsOn: z.optional(z.nullable(z.string())) });
const starting = z.extend(monthly, { startsOn: z.string() });
const options = z.object({
  plan: z.optional(z.string()),
  license: z.optional(z.string()),
  users: z.int(),
  backup: z.boolean(),
});
const invoice = z.object({
  id: z.string(),
  number: z.nullable(z.string()),
  amount: money,
  tax: money,
  once: z.optional(lines),
  periodStart: z.nullable(time),
  periodEnd: z.nullable(time),
  remaining: money,
  dueDay: z.nullable(z.string()),
  card: z.nullable(z.string()),
});
/** The card, or bank account, that was refused, and when the provider tries it again. */
const tried = z.object({
  card: z.nullable(z.string()),
  nextAt: z.nullable(time),
  isBank: z.optional(z.boolean()),
});
/** Which payments it is about, and how much of each; release 1.0 did not store it. */
const ofPayments = z.optional(z.array(z.object({ invoice, amount: money })));
/** `currency`: unless dollars, and then the amount counts its smallest unit. */
const charged = { charge: z.string(), amount: money, currency: z.optional(z.string()) };
const notice = z.object({
  id: z.int(),
  effectiveAt: time,
  from: lines,
  to: lines,
  /** Staff had delivered it: no email was sent. */
  byHand: z.optional(z.boolean()),
});
const which = z.enum(['new', 'old']);

/** In rows of earlier releases, which stored what was done once the provider had done it. */
const confirmed = { confirmed: z.optional(z.literal(true)) };
export const DETAILS = [
  'name',
  'company',
  'phone',
  'email',
  'billingAddress',
  'billsTo',
  'postalCode',
  'startsOn',
] as const;
export type Detail = (typeof DETAILS)[number];
/** Which facts, and not what they are: an event holds no person's data. */
const what = z.array(z.enum(DETAILS));

/** What a person asks the payment provider for, stored before it is asked. */
const presses = [
  /** Null: the rest of the newest payment. */
  z.object({ kind: z.literal('refund-asked'), amount: z.nullable(money), ...confirmed }),
  z.object({
    kind: z.literal('end-asked'),
    when: z.enum(['unpaid', 'now', 'period-end']),
    ...confirmed,
  }),
  z.object({ kind: z.literal('keep-asked'), ...confirmed }),
  z.object({ kind: z.literal('change-asked'), from: options, to: options }),
  z.object({ kind: z.literal('details-asked'), what }),
  /** The number itself is the buyer's, so it stands in the order alone. */
  z.object({ kind: z.literal('po-number-asked'), ...confirmed }),
  /** The reference is that of the invoice, because a person typed it. */
  z.object({
    kind: z.literal('paid-outside-asked'),
    invoice: z.string(),
    number: z.nullable(z.string()),
    /** What came, and what was owed; release 1.0 did not ask. */
    amount: z.optional(money),
    due: z.optional(money),
    ...confirmed,
  }),
] as const;
export type Press = z.output<(typeof presses)[number]>;

/** What the provider answers to a press that it refuses. */
export const REFUSAL_OF = {
  'refund-asked': 'refund-refused',
  'end-asked': 'end-refused',
  'keep-asked': 'keep-refused',
  'change-asked': 'change-refused',
  'details-asked': 'details-refused',
  'po-number-asked': 'po-number-refused',
  'paid-outside-asked': 'paid-outside-refused',
} as const satisfies Record<Press['kind'], string>;
export const REFUSALS = Object.values(REFUSAL_OF);

export type Monthly = z.output<typeof monthly>;
export type EventInvoice = z.output<typeof invoice>;

export const orderEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('status'),
    to: z.enum(ORDER_STATUSES),
    /** Another status follows at the same moment. */
    passing: z.boolean(),
    /** What became of the invoice with it; before 1.1.7, an event of its own. */
    invoiceState: z.optional(z.nullable(z.enum(INVOICE_STATES))),
  }),

  // What a person did.
  ...presses,
  z.object({ kind: z.literal('second-wanted') }),
  z.object({ kind: z.literal('not-refunded') }),
  z.object({ kind: z.literal('card-replaced'), card: z.nullable(z.string()) }),
  z.object({ kind: z.literal('details-changed'), what }),
  z.object({ kind: z.literal('addendum-accepted') }),
  z.object({ kind: z.literal('link-made') }),
  z.object({ kind: z.literal('link-opened') }),
  z.object({ kind: z.literal('links-revoked') }),
  z.object({ kind: z.literal('buyer-erased') }),
  z.object({ kind: z.literal('price-announced'), notice }),
  z.object({ kind: z.literal('terms-announced'), notice }),
  z.object({ kind: z.literal('price-withdrawn'), monthly }),

  // What the provider answered: the press is the cause.
  z.object({ kind: z.literal('confirmed') }),
  /** By release 1.0, an end that was refused without a press was the site's. */
  z.object({ kind: z.literal(REFUSALS), provider: z.string(), reason: z.string() }),

  // What came of it, and what the payment provider reported.
  z.object({ kind: z.literal('accepted'), daysUntilDue: z.int() }),
  z.object({ kind: z.literal('invoice-sent'), monthly, invoice }),
  z.object({ kind: z.literal('quote-accepted') }),
  z.object({ kind: z.literal('start-scheduled'), monthly: starting }),
  /** `was`: the company's day before. */
  z.object({ kind: z.literal('start-moved'), monthly: starting, was: z.string() }),
  z.object({ kind: z.literal('paid'), monthly, invoice: z.nullable(invoice) }),
  z.object({ kind: z.literal('failed') }),
  /** Newest last. */
  z.object({
    kind: z.literal('renewed'),
    invoices: z.array(invoice),
    running: z.boolean(),
    /** It is the first month, from the start day on. */
    started: z.optional(z.boolean()),
  }),
  z.object({
    kind: z.literal('renewal-failed'),
    invoice: z.nullable(invoice),
    toConfirm: z.boolean(),
    /** Releases before 1.1.5 did not store it. */
    tried: z.optional(tried),
  }),
  /** Where neither a status, a renewal nor a part says so. */
  z.object({ kind: z.literal('invoice-state'), state: z.enum(INVOICE_STATES) }),
  z.object({ kind: z.literal('debit-returned'), invoice, wasPaid: z.boolean() }),
  z.object({ kind: z.literal('overdue'), invoice }),
  z.object({ kind: z.literal('part-paid'), invoice }),
  /** `invoice`: of the payment; releases before 1.1.3 did not store it. */
  z.object({ kind: z.literal('disputed'), amount: money, invoice: z.optional(invoice) }),
  z.object({ kind: z.literal('dispute'), state: z.nullable(z.enum(DISPUTES)) }),
  z.object({
    kind: z.literal('refunded'),
    amount: money,
    total: money,
    running: z.boolean(),
    lost: z.boolean(),
    of: ofPayments,
  }),
  z.object({ kind: z.literal('refund-failed'), amount: money, total: money, of: ofPayments }),
  /** The plan is over; less than before is no news to anyone. */
  z.object({ kind: z.literal('credit-left'), amount: money }),
  z.object({ kind: z.literal('ending'), endsAt: z.nullable(time) }),
  z.object({ kind: z.literal('paused'), paused: z.boolean() }),
  /** `was`: what was paid before; releases before 1.1.3 did not store it. */
  z.object({
    kind: z.literal('changed'),
    before: options,
    after: options,
    monthly,
    was: z.optional(monthly),
  }),
  z.object({
    kind: z.literal('ended'),
    invoiceIsVoid: z.boolean(),
    /** Neither scheduled nor refunded. */
    withoutRefund: z.boolean(),
    /** As the provider says; releases before 1.1.8 did not store it. */
    endedAt: z.optional(time),
    /** What a bill to come asks for. */
    lastBill: z.optional(money),
  }),
  z.object({
    kind: z.literal('paid-after-end'),
    invoices: z.array(invoice),
    status: z.enum(ORDER_STATUSES),
  }),
  /** The email said another day, or other sums, than the notice was given with. */
  z.object({ kind: z.literal('notice-moved'), notice }),
  z.object({ kind: z.literal('price-set-up'), which, effectiveAt: time }),
  z.object({ kind: z.literal('new-price-charged'), amount: money, monthly }),
  /** By release 1.0 alone, as is 'withdrawn-price-charged'. */
  z.object({ kind: z.literal('notice-delivered'), notice: z.int() }),
  z.object({ kind: z.literal('end-delayed') }),

  // What staff must look into.
  z.object({
    kind: z.literal('payment-differs'),
    /** In words of the provider, such as 'payment pi_1'. */
    what: z.string(),
    amount: z.int(),
    currency: z.string(),
    due: money,
  }),
  z.object({
    kind: z.literal('lines-changed'),
    changes: z.array(
      z.object({ what: z.enum(['added', 'removed', 'repriced']), line, was: money }),
    ),
    monthly,
  }),
  /** How often it is billed, such as 'year'; null: each month. */
  z.object({ kind: z.literal('interval-changed'), every: z.nullable(z.string()) }),
  z.object({
    kind: z.literal('invoice-stuck'),
    invoice: z.string(),
    amount: money,
    why: z.enum(['void', 'uncollectible', 'draft', 'not finalized', 'refused']),
    reason: z.string(),
  }),
  /** A line of a kind that nothing here knows, in the provider's words. */
  z.object({
    kind: z.literal('unknown-line'),
    invoice: z.string(),
    what: z.string(),
    amount: money,
  }),
  /** It waits for a bill of a plan that has ended. */
  z.object({
    kind: z.literal('item-unbilled'),
    item: z.string(),
    what: z.string(),
    amount: money,
  }),
  /** It waited for the next bill of a plan that was ended at the provider; before tax. */
  z.object({ kind: z.literal('credit-dropped'), amount: money }),
  /** Of the order's customer, but for nothing that was sold here. */
  z.object({ kind: z.literal('charged-beside'), ...charged }),
  /** What the provider names, and does not have. */
  z.object({ kind: z.literal('missing-at-provider'), what: z.string() }),
  z.object({ kind: z.literal('invoice-not-issued') }),
  /** The provider does not know the customer's place. */
  z.object({ kind: z.literal('not-taxed') }),
  /** The customer wants the end; or the site does, of what is over. */
  z.object({
    kind: z.literal(['end-wanted', 'end-not-made']),
    provider: z.string(),
    reason: z.string(),
  }),
  /** The card's bank suspects fraud; `amount` is what is not refunded. */
  z.object({ kind: z.literal('fraud-warned'), ...charged }),
  /** `notice`: its id, and which renewal it was for. */
  z.object({
    kind: z.literal('price-not-set-up'),
    which,
    reason: z.string(),
    notice: z.optional(z.object({ id: z.int(), effectiveAt: z.int() })),
  }),
  z.object({ kind: z.literal('old-price-charged'), invoice: z.string(), amount: money }),
  z.object({
    kind: z.literal('notice-undelivered'),
    notice: z.int(),
    about: z._default(z.enum(['price', 'terms']), 'price'),
  }),
  /** A renewal at a price that had been taken back; `more`: than the old one, before tax. */
  z.object({
    kind: z.literal('withdrawn-price-charged'),
    invoice: z.string(),
    amount: money,
    more: money,
  }),
]);

export type OrderEvent = z.output<typeof orderEvent>;
export type EventKind = OrderEvent['kind'];
export type EventOf<Kind extends EventKind> = Extract<OrderEvent, { kind: Kind }>;

/** What held when it happened, for who reads of it later. */
export const snapshot = z.object({
  status: z.enum(ORDER_STATUSES),
  plan: options,
  /** Per month, before tax; null where it is billed by agreement. */
  monthly: z.nullable(money),
  refunded: money,
  endsAt: z.nullable(time),
  startsOn: z.optional(z.nullable(z.string())),
});
export type Snapshot = z.output<typeof snapshot>;
