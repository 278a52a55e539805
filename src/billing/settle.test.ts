/**
 * What becomes of an order: for each step of its status and each kind of event, the reports that
 * are stored, the one that comes, what happens, and who is told. The compiler asks for a row where
 * a step or a kind has none.
 */
import { describe, expect, test } from 'vitest';
import { permutations } from '../../tests/support/permutations.ts';
import { line } from '../../tests/support/saved-order.ts';
import { withDiscount } from '../catalogue/pricing.ts';
import { MAIL_TEXTS } from '../orders/order-notifications.server.ts';
import { staffTextOf } from '../orders/order-staff-texts.server.ts';
import { cents, totalOf } from '../platform/money.ts';
import { disputeOf, type Order, refundedOf } from './billed-order.server.ts';
import { bySite } from './cause.server.ts';
import type { ReportedCharge } from './charge-store.server.ts';
import { hasFact } from './event-kinds.server.ts';
import type { PaymentState } from './gateway.server.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';
import type { Notice } from './notice-store.server.ts';
import type { EventKind } from './order-event.server.ts';
import type { OrderStatus, Step } from './order-status.ts';
import { type Known, settle } from './settle.server.ts';
import type { Collection } from './subscription.ts';

const NOW = Date.UTC(2026, 0, 15);
const MONTH_MS = 31 * 24 * 60 * 60 * 1000;
const MONTH = [line('plan', 450_00), line('microsoft365', 12_50, 10)];
const ALL = totalOf(MONTH);
const PART = cents(50_00);
const NONE = cents(0);

/** A pending order of which nothing has been reported. */
function placed(collection: Collection, change: Partial<Order> = {}): Order {
  return {
    ...{ id: 7, name: 'Jane Doe', email: 'jane@dealer.example', phone: null, company: null },
    ...{ quoteId: null, planId: 1, planName: 'Essential', ms365Option: 'business_standard' },
    ...{
      status: 'pending',
      boughtLines: JSON.stringify(MONTH),
      boughtOnce: '[]',
      version: 0,
      linkVersion: 0,
    },
    ...{ discountPercent: null, discountCents: NONE, idempotencyKey: null, requestHash: '' },
    ...{ postalCode: null, startsOn: null, billingAddress: null, poNumber: null, createdAt: NOW },
    ...{ billsTo: null, endReason: null, endWords: null, addendumAt: null },
    ...{ addendumName: null, addendumTitle: null, addendumDate: null, addendumHash: null },
    ...{ acceptedName: null, acceptedTitle: null, termsDate: null, termsHash: null },
    ...change,
    subscription: {
      ...{ orderId: 7, provider: 'stripe', live: 0, collection, status: 'incomplete' },
      ...{
        daysUntilDue: collection === 'card' ? null : 15,
        attempt: null,
        cancelAt: null,
        creditCents: NONE,
        waiting: '[]',
        billedEvery: null,
        seenCustomer: null,
      },
      ...{ paymentId: null, clientSecret: null, customerId: null, subscriptionId: 'sub_1' },
      ...{ priceLines: JSON.stringify(MONTH), amountCents: ALL, totalCents: ALL, dueCents: ALL },
      ...change.subscription,
    },
    ...{ invoices: [], charges: [] },
  } satisfies Order;
}

type Report = PaymentState;
type Invoiced = Partial<ReportedInvoice>;

/** The invoice of a month, paid unless `change` says otherwise; month 0 is the first. */
function month(number: number, change: Invoiced = {}): Report {
  const createdAt = NOW + number * MONTH_MS;
  const period = { createdAt, periodStart: createdAt, periodEnd: createdAt + MONTH_MS };
  const paid = { amountCents: ALL, amountPaidCents: ALL, amountRemainingCents: NONE };
  const facts = { ...period, ...paid, status: 'paid' as const, renewal: number > 0 };
  return { status: 'active', invoices: [{ id: `in_${number}`, ...facts, ...change }] };
}
const OPEN = { status: 'open', amountPaidCents: NONE, amountRemainingCents: ALL } as const;
const PARTLY = { amountPaidCents: PART, amountRemainingCents: cents(ALL - PART) };
const VOID = { status: 'void', amountRemainingCents: NONE } as const;
const DUE = { dueDay: '2026-02-01' };
const sent = (number: number, change: Invoiced = {}) =>
  month(number, { ...OPEN, ...DUE, ...change });
const received = (number: number, change: Invoiced = {}) => month(number, { ...DUE, ...change });
const unpaid = (number: number, change: Invoiced = {}): Report => ({
  ...month(number, { ...OPEN, attempt: 'failed', ...change }),
  status: 'past_due',
});

/** What became of a month's charge. */
function charge(change: Partial<ReportedCharge>, number = 0): Report {
  const charged = { invoiceId: `in_${number}`, amountCents: ALL, refundedCents: NONE };
  return { charges: [{ id: `ch_${number}`, ...charged, ...change }] };
}
function bothCharges(...changes: Parameters<typeof charge>[0][]): Report {
  return { charges: changes.flatMap((change, number) => charge(change, number).charges ?? []) };
}
const REFUNDED = charge({ refundedCents: ALL });
const DISPUTED = charge({ dispute: 'open', disputedCents: ALL });
const whole = { disputedCents: ALL, refundedCents: ALL, lostCents: ALL };
const LOST = charge({ dispute: 'lost', ...whole });
const part = { disputedCents: PART, refundedCents: PART, lostCents: PART };
const PART_LOST = charge({ dispute: 'lost', ...part });
const ENDED: Report = { status: 'canceled' };
const returned = received(0, { attempt: 'failed', amountRemainingCents: ALL });

interface Case {
  /** How the order is paid; by card by default. */
  by?: Collection;
  /** The reports that are stored. */
  stored?: readonly Report[];
  report: Report;
  /** The statuses that it passes; none by default. */
  path?: string;
  /** What happens, each with who is told of it by email: 'paid → staff, customer'. */
  happens?: readonly string[];
  /** The invoice that the first payment's receipt is of. */
  receiptOf?: string;
  order?: Partial<Order>;
  known?: Partial<Known>;
}

function known(order: Order, others: Partial<Known> = {}): Known {
  return { order, notice: undefined, cameOutside: new Map(), now: NOW, ...others };
}

function follow({ by = 'card', stored = [], report, order, known: more }: Case) {
  const cause = bySite();
  const before = stored.reduce<Order>(
    (so, each) => settle(known(so), each, cause).order,
    placed(by, order),
  );
  return { before, ...settle(known(before, more), report, cause) };
}

const told = (kind: EventKind, quietly = false) => {
  if (quietly || !hasFact(kind, 'notified')) return '';
  const readers = [staffTextOf(kind).toStaff && 'staff', MAIL_TEXTS[kind] && 'customer'];
  const all = readers.filter(Boolean).join(', ');
  return all && ` → ${all}`;
};

function check(row: Case): void {
  const { events, order } = follow(row);
  const passed = events.flatMap(({ event }) => (event.kind === 'status' ? [event.to] : []));
  const others = events.filter(({ event }) => event.kind !== 'status');
  expect({
    path: passed.join(' '),
    happens: others.map(({ event, quietly }) => event.kind + told(event.kind, quietly)),
  }).toEqual({ path: row.path ?? '', happens: row.happens ?? [] });
  const receipts = others.flatMap(({ event }) =>
    event.kind === 'paid' ? [event.invoice?.id] : [],
  );
  if (row.receiptOf) expect(receipts).toEqual([row.receiptOf]);
  if (passed.length > 0) expect(order.status).toBe(passed.at(-1));
}

const PAID = 'paid → staff, customer';
const FAILS = 'renewal-failed → staff, customer';
const GIVEN_BACK = 'refunded → staff, customer';
const OVER = 'ended → staff, customer';
const STARTS = 'start-scheduled → staff, customer';
const SAVED: Report = { status: 'trialing', attempt: null };
const LATER = { startsOn: '2026-02-01' };
const ALONE = { periodStart: null, periodEnd: null };
/** What is charged once, before the start day. */
const FEE: Report = { ...month(0, ALONE), status: 'trialing' };
const PROCESSING: Report = { attempt: 'processing' };
const FAILED: Report = { attempt: 'failed' };
const GIVEN_UP: Report = { abandoned: true };
const underWay = sent(0, { attempt: 'processing' });
const bounced = sent(0, { attempt: 'failed' });
const RUNNING = [received(0), charge({})];
/** The site's clock has seen the due day pass. */
const overdue = (order: Order): Order => ({
  ...order,
  invoices: order.invoices.map((invoice) => ({ ...invoice, overdue: 1 })),
});

const STEPS: Record<Step, Record<Collection, Case>> = {
  'pending>processing': {
    card: { report: PROCESSING },
    invoice: { stored: [sent(0)], report: underWay },
  },
  'pending>paid': {
    card: { report: month(0), happens: [PAID] },
    invoice: { stored: [sent(0)], report: received(0), happens: [PAID] },
  },
  'pending>failed': {
    card: { report: FAILED, happens: ['failed'] },
    invoice: {
      stored: [sent(0)],
      report: bounced,
      happens: ['failed', 'debit-returned → staff, customer'],
    },
  },
  'pending>canceled': {
    card: { report: GIVEN_UP },
    invoice: { stored: [sent(0)], report: GIVEN_UP, happens: [OVER] },
  },
  'processing>paid': {
    card: { stored: [PROCESSING], report: month(0), happens: [PAID] },
    invoice: {
      stored: [sent(0), underWay],
      report: received(0, { attempt: null }),
      happens: [PAID],
    },
  },
  'processing>failed': {
    card: { stored: [PROCESSING], report: FAILED, happens: ['failed'] },
    invoice: {
      stored: [sent(0), underWay],
      report: bounced,
      happens: ['failed', 'debit-returned → staff, customer'],
    },
  },
  'processing>canceled': {
    card: { stored: [PROCESSING], report: GIVEN_UP },
    invoice: { stored: [sent(0), underWay], report: GIVEN_UP, happens: [OVER] },
  },
  'failed>processing': {
    card: { stored: [FAILED], report: { attempt: 'requires_action' } },
    invoice: { stored: [sent(0), bounced], report: underWay },
  },
  'paid>past_due': {
    card: { stored: [month(0)], report: unpaid(1), happens: [FAILS] },
    invoice: { stored: [...RUNNING, sent(1)], report: {}, happens: [] },
  },
  'paid>refunded': {
    card: { stored: [month(0), charge({})], report: REFUNDED, happens: [GIVEN_BACK] },
    invoice: { stored: RUNNING, report: REFUNDED, happens: [GIVEN_BACK] },
  },
  'paid>canceled': {
    card: { stored: [month(0)], report: ENDED, happens: [OVER] },
    invoice: { stored: RUNNING, report: ENDED, happens: [OVER] },
  },
  'past_due>paid': {
    card: { stored: [month(0), unpaid(1)], report: month(1), happens: ['renewed → customer'] },
    invoice: {
      stored: [...RUNNING, returned],
      report: received(0, { attempt: null, paidOutOfBand: 1 }),
      happens: ['renewed → customer'],
    },
  },
  'past_due>canceled': {
    card: { stored: [month(0), unpaid(1)], report: ENDED, happens: [OVER] },
    invoice: { stored: [...RUNNING, returned], report: ENDED, happens: [OVER] },
  },
  'refunded>canceled': {
    card: {
      stored: [month(0), REFUNDED, ENDED],
      report: charge({}),
      happens: ['refund-failed → staff, customer'],
    },
    invoice: {
      stored: [...RUNNING, REFUNDED, ENDED],
      report: charge({}),
      happens: ['refund-failed → staff, customer'],
    },
  },
};

const steps = Object.entries(STEPS).flatMap(([step, rows]) =>
  Object.entries(rows).map(([by, row]) => ({ step, by: by as Collection, row })),
);

test.each(steps)('an order by $by goes the step $step', ({ step, by, row }) => {
  const [from, to] = step.split('>');
  const isByClock = step === 'paid>past_due' && by === 'invoice';
  const stored = follow({ ...row, by, report: {} }).order;
  if (isByClock) {
    const after = settle(known(overdue(stored)), row.report, bySite());
    expect([stored.status, after.order.status]).toEqual([from, to]);
    expect(after.events.map(({ event }) => event.kind)).toEqual(['status']);
    return;
  }
  expect(stored.status).toBe(from);
  check({ ...row, by, path: to ?? '' });
});

/** A notice of these prices whose day is the second month. */
const NEW = [line('plan', 500_00), line('microsoft365', 12_50, 10)];
const announced: Notice = {
  ...{ id: 3, orderId: 7, kind: 'price', state: 'applying', accountId: 1 },
  ...{ from: MONTH, to: NEW },
  ...{ effectiveAt: NOW + MONTH_MS, at: NOW - MONTH_MS, deliveredAt: NOW - MONTH_MS },
  ...{ reason: null, setUpAt: NOW },
};
const MORE = [line('plan', 450_00), line('microsoft365', 12_50, 12)];
/** What no report brings: a press, a call, or the site's own work records it. */
type Elsewhere =
  | 'status'
  | ('refund-asked' | 'end-asked' | 'keep-asked' | 'change-asked' | 'paid-outside-asked')
  | ('addendum-accepted' | 'details-asked' | 'details-changed' | 'details-refused')
  | ('confirmed' | 'refund-refused' | 'keep-refused' | 'change-refused' | 'paid-outside-refused')
  | ('second-wanted' | 'not-refunded' | 'buyer-erased' | 'accepted' | 'start-moved')
  | ('po-number-asked' | 'po-number-refused')
  | ('link-made' | 'link-opened' | 'links-revoked' | 'overdue' | 'invoice-not-issued')
  | ('price-announced' | 'terms-announced' | 'price-withdrawn' | 'notice-moved')
  | 'notice-delivered'
  | ('price-set-up' | 'price-not-set-up' | 'notice-undelivered' | 'withdrawn-price-charged')
  | ('end-delayed' | 'end-refused' | 'end-wanted' | 'end-not-made' | 'fraud-warned');

/** What features/payments and features/quotes tell of reports. */
type OfFeatures =
  | ('debit-returned' | 'ended' | 'part-paid')
  | ('card-replaced' | 'lines-changed' | 'new-price-charged' | 'old-price-charged')
  | ('charged-beside' | 'credit-dropped' | 'item-unbilled' | 'unknown-line')
  | ('invoice-stuck' | 'missing-at-provider' | 'not-taxed' | 'payment-differs');

const EVENTS: Record<Exclude<EventKind, Elsewhere | OfFeatures>, Record<string, Case>> = {
  paid: {
    'the first month, with the charge alone known': {
      report: { status: 'active', ...charge({}) },
      path: 'paid',
      happens: [PAID],
    },
    'a plan that runs before its card is asked': {
      report: { status: 'active' },
      path: 'processing',
    },
    'an invoice that staff issued in place of a void one': {
      by: 'invoice',
      stored: [sent(0), sent(0, VOID), sent(1)],
      report: received(1),
      path: 'paid',
      happens: [PAID],
    },
    'a payment after a refusal passes through processing': {
      stored: [FAILED],
      report: month(0),
      path: 'processing paid',
      happens: [PAID],
    },
  },
  'start-scheduled': {
    'a quote whose plan starts on a day to come is accepted by saving a card': {
      order: { quoteId: 5, ...LATER },
      report: SAVED,
      path: 'processing',
      happens: ['quote-accepted', STARTS],
    },
    'the bank has approved the card': {
      order: LATER,
      stored: [{ attempt: 'requires_action' }],
      report: SAVED,
      happens: [STARTS],
    },
    'by invoice': {
      by: 'invoice',
      order: LATER,
      report: SAVED,
      path: 'processing',
      happens: [STARTS],
    },
    'the first month is paid on its day': {
      order: { quoteId: 5, ...LATER },
      stored: [SAVED],
      report: month(0),
      path: 'paid',
      happens: [PAID],
    },
    'the first month cannot be charged on its day': {
      order: LATER,
      stored: [SAVED],
      report: unpaid(0),
      path: 'failed',
      happens: [FAILS],
    },
    'ended before its day': {
      order: LATER,
      stored: [SAVED],
      report: ENDED,
      path: 'canceled',
      happens: [OVER],
    },
    'what is charged once is paid before it': {
      order: LATER,
      report: FEE,
      path: 'paid',
      happens: [PAID],
    },
  },
  'quote-accepted': {
    'a quote is accepted by paying it by card': {
      order: { quoteId: 5 },
      report: month(0),
      path: 'paid',
      happens: ['quote-accepted', PAID],
    },
    'the plan runs before its payment is known': {
      order: { quoteId: 5 },
      report: { status: 'active' },
      path: 'processing',
      happens: ['quote-accepted'],
    },
    'once, where the payment is known before the plan runs': {
      order: { quoteId: 5 },
      stored: [{ ...month(0), status: 'incomplete' }],
      report: { status: 'active' },
    },
    'nor where it is paid after it was given up': {
      order: { quoteId: 5 },
      stored: [GIVEN_UP],
      report: month(0),
      happens: ['paid-after-end → staff, customer'],
    },
    'by invoice it was accepted before': {
      by: 'invoice',
      order: { quoteId: 5 },
      stored: [sent(0)],
      report: received(0),
      path: 'paid',
      happens: [PAID],
    },
  },
  failed: { 'a second refusal is no news': { stored: [FAILED], report: FAILED } },
  'invoice-sent': {
    'the first invoice is issued': {
      by: 'invoice',
      report: sent(0),
      happens: ['invoice-sent → customer'],
    },
    'a second report of it is no news': { by: 'invoice', stored: [sent(0)], report: sent(0) },
  },
  renewed: {
    'two months at once are told once': {
      stored: [month(0)],
      report: { invoices: [month(1), month(2)].flatMap(({ invoices = [] }) => invoices) },
      happens: ['renewed → customer'],
    },
    'with the first month, each has its receipt': {
      by: 'invoice',
      stored: [sent(0), sent(1)],
      report: {
        status: 'active',
        invoices: [received(0), received(1)].flatMap(({ invoices = [] }) => invoices),
      },
      path: 'paid',
      happens: [PAID, 'renewed → customer'],
      receiptOf: 'in_0',
    },
    'with the first month, both made at the same moment': {
      report: {
        status: 'active',
        invoices: [month(1, { createdAt: NOW }), month(0)].flatMap(({ invoices = [] }) => invoices),
      },
      path: 'paid',
      happens: [PAID, 'renewed → customer'],
      receiptOf: 'in_0',
    },
    'by invoice, what takes the place of the first': {
      by: 'invoice',
      stored: [...RUNNING, sent(1)],
      report: received(1),
      happens: ['renewed → customer'],
    },
    'one that is paid stays paid, however it is reported later': {
      stored: [month(0), month(1)],
      report: month(1, { ...OPEN, amountCents: NONE }),
    },
  },
  'renewal-failed': {
    'another month while one is owed': {
      stored: [month(0), unpaid(1)],
      report: unpaid(2),
      happens: [FAILS],
    },
    'the bank now wants it confirmed': {
      stored: [month(0), unpaid(1)],
      report: unpaid(1, { attempt: 'requires_action' }),
      happens: [FAILS],
    },
    'the bank now wants the first month after a start day confirmed': {
      order: LATER,
      stored: [SAVED, unpaid(0)],
      report: unpaid(0, { attempt: 'requires_action' }),
      happens: [FAILS],
    },
    'the same again is no news': { stored: [month(0), unpaid(1)], report: unpaid(1) },
    'what was sent and is owed, as staff switch to a card, blames no card': {
      by: 'invoice',
      stored: [...RUNNING, sent(1)],
      report: { status: 'past_due', collection: 'card' },
      path: 'past_due',
    },
    'one that is void is not owed': {
      stored: [month(0), unpaid(1)],
      report: month(1, { ...OPEN, ...VOID }),
      path: 'paid',
    },
  },
  'invoice-state': {
    'the next invoice by bank is sent': {
      by: 'invoice',
      stored: RUNNING,
      report: sent(1),
      happens: ['invoice-state'],
    },
  },
  disputed: {
    'the same again is no news': {
      stored: [month(0), DISPUTED],
      report: DISPUTED,
    },
    'again, after the bank had decided for us': {
      stored: [month(0), charge({ dispute: 'won', disputedCents: ALL })],
      report: charge({ dispute: 'open', disputedCents: cents(2 * ALL) }),
      happens: ['disputed → staff, customer', 'dispute'],
    },
    'a second month is disputed, too': {
      stored: [month(0), month(1), DISPUTED, charge({}, 1)],
      report: charge({ dispute: 'open', disputedCents: ALL }, 1),
      happens: ['disputed → staff, customer'],
    },
    'a month that a card paid, while a debit before it is owed again': {
      stored: [returned, month(1), charge({}, 1)],
      report: charge({ dispute: 'open', disputedCents: ALL }, 1),
      happens: ['disputed → staff, customer', 'dispute'],
    },
    'a second part of the same payment': {
      stored: [month(0), charge({ dispute: 'open', disputedCents: PART })],
      report: charge({ dispute: 'open', disputedCents: cents(2 * PART) }),
      happens: ['disputed → staff, customer'],
    },
    'a part of a payment of which another part is lost': {
      stored: [month(0), PART_LOST],
      report: charge({ ...part, dispute: 'open', disputedCents: cents(2 * PART) }),
      happens: ['disputed → staff, customer', 'dispute'],
    },
  },
  dispute: {
    'a bank decides before anyone has looked': {
      stored: [month(0)],
      report: PART_LOST,
      happens: ['dispute', GIVEN_BACK],
    },
    'the bank decides for us': {
      stored: [month(0), DISPUTED],
      report: charge({ dispute: 'won', disputedCents: ALL }),
      happens: ['dispute'],
    },
    'of a whole month of two': {
      stored: [month(0), month(1), charge({}, 1), DISPUTED],
      report: LOST,
      path: 'refunded',
      happens: [GIVEN_BACK, 'dispute'],
    },
    'of a whole month of two, of which staff had refunded a part': {
      stored: [month(0), month(1), charge({}, 1), charge({ refundedCents: PART })],
      report: LOST,
      path: 'refunded',
      happens: [GIVEN_BACK, 'dispute'],
    },
    'of a part, and the plan goes on': {
      stored: [month(0), charge({ dispute: 'open', disputedCents: PART })],
      report: PART_LOST,
      happens: ['dispute', GIVEN_BACK],
    },
    'of a part, where one of the whole was won before': {
      stored: [month(0), month(1), charge({}, 1), charge({ dispute: 'won', disputedCents: ALL })],
      report: charge({
        ...{ dispute: 'lost', disputedCents: cents(ALL + PART), lostCents: PART },
        refundedCents: ALL,
      }),
      happens: ['dispute', GIVEN_BACK, GIVEN_BACK],
    },
    'a lost one stays lost': { stored: [month(0), LOST], report: DISPUTED },
  },
  refunded: {
    'one month of two leaves it running': {
      stored: [month(0), month(1), charge({}), charge({}, 1)],
      report: REFUNDED,
      happens: [GIVEN_BACK],
    },
    'a part of a month that is still open ends no plan': {
      by: 'invoice',
      stored: [...RUNNING, sent(1, PARTLY), charge({ amountCents: PART }, 1)],
      report: charge({ amountCents: PART, refundedCents: PART }, 1),
      happens: [GIVEN_BACK],
    },
    'all of it while a month is owed': {
      stored: [month(0), charge({}), unpaid(1)],
      report: REFUNDED,
      path: 'paid refunded',
      happens: [GIVEN_BACK],
    },
    'all of it together with the payment is told once': {
      report: { ...month(0), ...REFUNDED },
      path: 'paid refunded',
      happens: [PAID, GIVEN_BACK],
    },
    'all that was kept, while a debit is owed again': {
      by: 'invoice',
      stored: [
        ...RUNNING,
        ...[received(1), charge({}, 1)],
        received(1, { attempt: 'failed', amountRemainingCents: ALL }),
      ],
      report: REFUNDED,
      path: 'paid refunded',
      happens: [GIVEN_BACK],
    },
    'the fee and the first month': {
      order: LATER,
      stored: [FEE, charge({}), REFUNDED, month(1), charge({}, 1)],
      report: charge({ refundedCents: ALL }, 1),
      path: 'refunded',
      happens: [GIVEN_BACK],
    },
    'the rest of a month of two, of which a bank had given back a part': {
      stored: [month(0), month(1), charge({}, 1), PART_LOST],
      report: charge({ dispute: 'lost', ...part, refundedCents: ALL }),
      happens: [GIVEN_BACK],
    },
    'of a month that was paid after all had gone back': {
      stored: [month(0), REFUNDED, month(1), charge({}, 1)],
      report: charge({ refundedCents: ALL }, 1),
      happens: [GIVEN_BACK],
    },
    'by a bank and by staff, each told for itself': {
      stored: [month(0), charge({})],
      report: charge({ dispute: 'lost', ...part, refundedCents: cents(3 * PART) }),
      happens: ['dispute', GIVEN_BACK, GIVEN_BACK],
    },
    'of an ended plan': {
      stored: [month(0), charge({}), ENDED],
      report: charge({ refundedCents: PART }),
      happens: [GIVEN_BACK],
    },
  },
  'refund-failed': {
    'of one payment, while as much of another goes back': {
      stored: [month(0), month(1), charge({}), charge({ refundedCents: PART }, 1)],
      report: bothCharges({ refundedCents: PART }, {}),
      happens: ['refund-failed → staff, customer', GIVEN_BACK],
    },
    'of one payment, while more of another goes back': {
      stored: [month(0), month(1), charge({}), charge({ refundedCents: PART }, 1)],
      report: bothCharges({ refundedCents: cents(2 * PART) }, {}),
      happens: ['refund-failed → staff, customer', GIVEN_BACK],
    },
    'of a plan whose end the provider has yet to make': {
      stored: [month(0), REFUNDED],
      report: charge({}),
      path: 'canceled',
      happens: ['refund-failed → staff, customer'],
    },
    'the bank returns a part': {
      stored: [month(0), charge({ refundedCents: PART })],
      report: charge({}),
      happens: ['refund-failed → staff, customer'],
    },
  },
  ending: {
    'the end is moved': {
      stored: [month(0), { cancelAt: NOW + MONTH_MS }],
      report: { cancelAt: NOW + 2 * MONTH_MS },
      happens: ['ending → staff, customer'],
    },
    'scheduled and over at once is told as over': {
      stored: [month(0)],
      report: { ...ENDED, cancelAt: NOW + MONTH_MS },
      path: 'canceled',
      happens: [OVER, 'ending'],
    },
  },
  paused: {
    'billing continues': {
      stored: [month(0), { status: 'paused' }],
      report: { status: 'active' },
      happens: ['paused → staff, customer'],
    },
  },
  changed: {
    'users are added': {
      stored: [month(0)],
      report: { lines: MORE },
      happens: ['changed → staff, customer'],
    },
    'nothing of a plan that has ended': { stored: [month(0), ENDED], report: { lines: MORE } },
  },
  'interval-changed': {
    'staff set monthly prices at the provider again': {
      stored: [month(0), { billedEvery: 'year' }],
      report: { billedEvery: null },
      happens: ['interval-changed → staff'],
    },
  },
  'credit-left': {
    'it comes an hour after the end': {
      stored: [month(0), ENDED],
      report: { creditCents: PART },
      happens: ['credit-left → staff, customer'],
    },
    'the next bill uses it while the plan runs': {
      stored: [month(0)],
      report: { creditCents: PART },
    },
  },
  'paid-after-end': {
    'a month is paid after the end': {
      stored: [month(0), ENDED],
      report: month(1),
      happens: ['paid-after-end → staff, customer'],
    },
    'a month is paid after the end, of which a bank had given back another': {
      stored: [month(0), LOST, ENDED],
      report: { ...month(1), ...charge({}, 1), status: 'canceled' },
      happens: ['paid-after-end → staff, customer'],
    },
    'a payment of what was given up': {
      stored: [GIVEN_UP],
      report: month(0),
      happens: ['paid-after-end → staff, customer'],
    },
    'what was charged once, of an order that was given up': {
      by: 'invoice',
      stored: [sent(0, ALONE), GIVEN_UP],
      report: received(0, ALONE),
      happens: ['invoice-state', 'paid-after-end → staff, customer'],
    },
    'the last bill of a plan, an hour after the end, is expected': {
      stored: [month(0), ENDED],
      report: month(1, ALONE),
      happens: ['renewed → customer'],
    },
    'a part of what is given up at the end': {
      by: 'invoice',
      stored: [...RUNNING, sent(1, PARTLY)],
      report: { ...sent(1, { ...PARTLY, ...VOID }), status: 'canceled' },
      path: 'canceled',
      happens: [OVER, 'paid-after-end → staff, customer'],
    },
    'a part of a month before the last that was paid, which was owed until the end': {
      by: 'invoice',
      stored: [...RUNNING, sent(1, PARTLY), received(2)],
      report: { ...sent(1, { ...PARTLY, ...VOID }), status: 'canceled' },
      path: 'canceled',
      happens: [OVER, 'paid-after-end → staff, customer'],
    },
    'a part of what staff gave up long before is no news at the end': {
      by: 'invoice',
      stored: [...RUNNING, sent(1, PARTLY), sent(1, { ...PARTLY, ...VOID }), received(2)],
      report: ENDED,
      path: 'canceled',
      happens: [OVER],
    },
    'a part of what staff wrote off before is no news at the end': {
      by: 'invoice',
      stored: [
        ...RUNNING,
        sent(1, PARTLY),
        sent(1, { ...PARTLY, status: 'uncollectible', amountRemainingCents: NONE }),
      ],
      report: ENDED,
      path: 'canceled',
      happens: [OVER],
    },
    'a part of what is voided after the end': {
      by: 'invoice',
      stored: [...RUNNING, sent(1, PARTLY), ENDED],
      report: sent(1, { ...PARTLY, ...VOID }),
      happens: ['invoice-state', 'paid-after-end → staff, customer'],
    },
    'what was owed by bank at the end may come': {
      by: 'invoice',
      stored: [...RUNNING, sent(1), ENDED],
      report: received(1),
      happens: ['renewed → customer'],
    },
  },
};

describe.each(Object.entries(EVENTS))('%s', (_kind, rows) => {
  test.each(Object.entries(rows))('%s', (_what, row) => check(row));
});

test.each([
  ['the last month paid', [charge({}), charge({ refundedCents: PART }, 1)], false],
  ['an earlier month', [charge({ refundedCents: PART }), charge({}, 1)], true],
])('an end after a refund of %s', (_what, charges, withoutRefund) => {
  const { events } = follow({ stored: [month(0), month(1), ...charges], report: ENDED });
  expect(events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ kind: 'ended', withoutRefund }),
  );
});

const SEATS = [line('microsoft365', 12_50, 10)];
const DEARER = [line('microsoft365', 14_44, 10)];
const [NEW_ONE, OLD_ONE] = ['new-price-charged', 'old-price-charged'] as const;
const PLAN = [line('plan', 450_00)];
const NEXT_MONTH = { effectiveAt: NOW + 2 * MONTH_MS, setUpAt: null };
const NOTHING_LEFT = { state: 'withdrawn', reason: 'nothing-left' } as const;
const bill = (lines: typeof MONTH, change: Invoiced = {}) => month(1, { lines, ...change });
test.each<[string, Report, Partial<Notice>, EventKind[]]>([
  ['charged, whatever is left', { ...bill(DEARER), lines: PLAN }, { state: 'charged' }, [NEW_ONE]],
  ['withdrawn if nothing is left', { ...bill(SEATS), lines: PLAN }, NOTHING_LEFT, []],
  ['moved by a bill at the old', { ...bill(SEATS), lines: MONTH }, NEXT_MONTH, [OLD_ONE]],
  [
    'moved by one that is void',
    { ...bill(SEATS, { status: 'void' }), lines: MONTH },
    NEXT_MONTH,
    [],
  ],
  ['set up again for a changed plan', { lines: MORE }, { setUpAt: null }, []],
  ['left as it is', { lines: MONTH }, {}, []],
])('a notice of dearer seats is %s', (_what, report, becomes, kinds) => {
  const notice = { ...announced, from: SEATS, to: DEARER };
  const after = follow({ stored: [month(0)], report, known: { notice } });
  const happened = after.events.map(({ event: { kind } }) => kind);
  expect(after.notice).toEqual(becomes);
  expect(happened.filter((kind) => kind === NEW_ONE || kind === OLD_ONE)).toEqual(kinds);
});

test.each<[string, Case, boolean]>([
  [
    'of which the bank took back all',
    { by: 'invoice', stored: [...RUNNING, returned], report: ENDED },
    false,
  ],
  [
    'before the day that was set for it',
    { stored: [month(0), { cancelAt: NOW + MONTH_MS }], report: { ...ENDED, endedAt: NOW } },
    true,
  ],
  [
    'on the day that was set for it',
    {
      stored: [month(0), { cancelAt: NOW + MONTH_MS }],
      report: { ...ENDED, endedAt: NOW + MONTH_MS },
    },
    false,
  ],
])('an end %s', (_what, row, withoutRefund) => {
  expect(follow(row).events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ kind: 'ended', withoutRefund }),
  );
});

test('a renewal that a card failed to pay is told, though the switch to it is news as well', () => {
  check({
    by: 'invoice',
    stored: RUNNING,
    report: { ...unpaid(1), collection: 'card' },
    path: 'past_due',
    happens: [FAILS],
  });
});

test('a sum billed before the start day does not start the plan', () => {
  const oneOff = month(1, ALONE);
  const { events } = follow({
    order: LATER,
    stored: [FEE],
    report: { ...oneOff, status: 'trialing' },
  });
  expect(events.map(({ event }) => event)).toMatchObject([{ kind: 'renewed', started: false }]);
});

test('a part of a first invoice that goes back ends no plan', () => {
  const { events } = follow({
    by: 'invoice',
    stored: [sent(0, PARTLY), charge({ amountCents: PART })],
    report: charge({ amountCents: PART, refundedCents: PART }),
  });
  expect(events.map(({ event }) => event)).toMatchObject([{ kind: 'refunded', running: true }]);
});

describe('in whatever sequence reports arrive', () => {
  const fold = (reports: readonly Report[]) => follow({ stored: reports, report: {} }).order;
  const all = (reports: readonly Report[]) => permutations([...reports]).map(fold);

  test.each<[string, Report[], Partial<Record<'status' | 'refunded' | 'dispute', unknown>>]>([
    [
      'a later month is owed',
      [month(0), unpaid(2), month(1)].map(({ invoices = [] }) => ({ invoices })),
      { status: 'past_due' },
    ],
    ['all was refunded', [month(0), REFUNDED], { status: 'refunded', refunded: ALL }],
    ['a dispute was lost', [month(0), DISPUTED, LOST], { status: 'refunded', dispute: 'lost' }],
  ])('an order ends the same: %s', (_what, reports, wanted) => {
    for (const order of all(reports))
      expect({
        status: order.status,
        refunded: refundedOf(order),
        dispute: disputeOf(order),
      }).toMatchObject(wanted);
  });
});

test('what a later report leaves out is kept for the receipt', () => {
  const facts = { number: 'T-1', taxCents: cents(9_00) };
  const card = { cardBrand: 'Visa', cardLast4: '4242' };
  const stored = [{ ...month(0, facts), ...charge(card) }];
  const { order } = follow({ stored, report: { ...month(0), ...charge({}) } });
  expect([order.invoices, order.charges]).toMatchObject([[facts], [card]]);
});

test('a report that says nothing new makes no other one look outdated', () => {
  const stored = [{ ...month(0), ...charge({}) }];
  const again = follow({ stored, report: { ...month(0), ...charge({}) } });
  expect(again.order).toBe(again.before);
  expect([again.invoices, again.charges, again.events]).toEqual([[], [], []]);
});

test('the discount of a quote stays in what a provider reports without it', () => {
  const net = [line('plan', 405_00), line('microsoft365', 12_50, 10)];
  const discount = { discountPercent: 10, discountCents: cents(45_00) };
  const bought = JSON.stringify(withDiscount(net, discount));
  const order = { ...discount, boughtLines: bought } satisfies Partial<Order>;
  const { subscription, invoices } = follow({
    order: { ...order, subscription: { ...placed('card').subscription, priceLines: bought } },
    stored: [month(0, { lines: net })],
    report: { lines: net, ...month(1, { lines: net }) },
  });
  expect(subscription.priceLines ?? bought).toBe(bought);
  expect(invoices.map(({ lines }) => lines)).toEqual([bought]);
});

test('why a plan ends is forgotten once it is kept, on whichever side', () => {
  const why = { endReason: 'price', endWords: 'Too dear' };
  const ending = { cancelAt: NOW + MONTH_MS };
  const after = (...reports: Report[]) =>
    follow({ order: why, stored: [month(0), ...reports], report: {} }).order;
  expect(after(ending, { cancelAt: null })).toMatchObject({ endReason: null, endWords: null });
  for (const order of [
    after(ending),
    after(ending, ENDED),
    after(ending, { ...ENDED, cancelAt: null }),
  ])
    expect(order).toMatchObject(why);
});

test('an order that is over is reopened by no report', () => {
  const over: OrderStatus[] = ['canceled', 'refunded'];
  for (const end of [ENDED, { ...REFUNDED, status: 'active' as const }]) {
    const { order } = follow({ stored: [month(0), charge({}), end], report: month(1) });
    expect(over).toContain(order.status);
  }
});

test('a renewal stays owed although the first payment was canceled, as when it was paid outside', () => {
  const { order } = follow({ stored: [month(0)], report: { ...unpaid(1), ...GIVEN_UP } });
  expect(order.status).toBe('past_due');
  expect(order.invoices.map(({ status }) => status)).toEqual(['open', 'paid']);

  const both = [month(0), unpaid(1)].flatMap(({ invoices = [] }) => invoices);
  const atOnce = follow({ report: { ...unpaid(1), invoices: both, ...GIVEN_UP } }).order;
  expect(atOnce.invoices.map(({ status }) => status)).toEqual(['open', 'paid']);
});
