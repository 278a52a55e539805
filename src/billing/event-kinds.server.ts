/** What each kind of event is to whom: a new kind does not compile without its line. */
import {
  type EventKind,
  type EventOf,
  type OrderEvent,
  type Press,
  REFUSAL_OF,
  REFUSALS,
} from './order-event.server.ts';

type Fact =
  /** Someone is notified of it: staff, the customer or a program. */
  | 'notified'
  /** The order's address for papers gets it, too: receipts, invoices, failed charges, refunds. */
  | 'paper'
  /** Staff must look into it. */
  | 'alert'
  /** Stored once for each order, however often the same is reported: staff are notified once. */
  | 'once'
  /** Counted for staff who have not looked at orders, or quotes, since. */
  | 'news of orders'
  | 'news of quotes'
  /** What a member of staff does with an order, other than what comes of it. */
  | 'act'
  /** It says of itself neither who nor why, so staff read its cause with it. */
  | 'with cause'
  /** The customer has accepted the order: by paying, by invoice, or from a start day on. */
  | 'acceptance';

const ACT = ['act'] as const;
const EACH_TIME = ['notified', 'alert', 'news of orders'] as const;
const ALERT = [...EACH_TIME, 'once'] as const;

const FACTS = {
  status: [],
  'second-wanted': [],
  'not-refunded': [],
  confirmed: [],
  'details-changed': [],
  'addendum-accepted': [],
  'link-opened': [],
  'buyer-erased': [],
  'notice-moved': [],
  'price-announced': [],
  'terms-announced': [],
  'price-withdrawn': [],
  'price-set-up': [],
  'new-price-charged': [],
  'notice-delivered': [],
  'withdrawn-price-charged': [],
  'end-delayed': ['once'],
  'refund-refused': [],
  'end-refused': [],
  'keep-refused': [],
  'change-refused': [],
  'details-refused': [],
  'po-number-refused': [],
  'paid-outside-refused': [],
  'refund-asked': ACT,
  'end-asked': ACT,
  'keep-asked': ACT,
  'change-asked': ACT,
  'details-asked': ACT,
  'po-number-asked': ACT,
  'paid-outside-asked': ACT,
  'link-made': ACT,
  'links-revoked': ACT,
  accepted: ['notified', 'acceptance', 'news of quotes'],
  'quote-accepted': ['notified', 'news of quotes'],
  'start-scheduled': ['notified', 'acceptance'],
  'start-moved': ['notified'],
  paid: ['notified', 'paper', 'acceptance', 'news of orders'],
  'invoice-sent': ['notified', 'paper'],
  'renewal-failed': ['notified', 'paper', 'news of orders'],
  'debit-returned': ['notified', 'paper', 'news of orders'],
  overdue: ['notified', 'paper', 'news of orders'],
  renewed: ['notified', 'paper', 'with cause'],
  refunded: ['notified', 'paper', 'with cause'],
  disputed: ['notified', 'news of orders', 'with cause'],
  'refund-failed': ['notified', 'news of orders', 'with cause'],
  'credit-left': ['notified', 'news of orders', 'with cause'],
  'paid-after-end': ['notified', 'news of orders', 'with cause'],
  ending: ['notified', 'with cause'],
  paused: ['notified', 'with cause'],
  changed: ['notified', 'with cause'],
  failed: ['notified'],
  ended: ['notified'],
  'card-replaced': ['notified'],
  dispute: ['with cause'],
  'invoice-state': ['with cause'],
  'part-paid': ['with cause'],
  'lines-changed': [...EACH_TIME, 'with cause'],
  'interval-changed': [...EACH_TIME, 'with cause'],
  'end-wanted': EACH_TIME,
  'not-taxed': EACH_TIME,
  'payment-differs': ALERT,
  'invoice-stuck': ALERT,
  'unknown-line': ALERT,
  'charged-beside': ALERT,
  'missing-at-provider': ALERT,
  'invoice-not-issued': ALERT,
  'end-not-made': ALERT,
  'fraud-warned': ALERT,
  'price-not-set-up': ALERT,
  'old-price-charged': ALERT,
  'notice-undelivered': ALERT,
  'item-unbilled': ALERT,
  'credit-dropped': ALERT,
} as const satisfies Record<EventKind, readonly Fact[]>;

type KindWith<One extends Fact> = {
  [Kind in EventKind]: One extends (typeof FACTS)[Kind][number] ? Kind : never;
}[EventKind];
export type NotifiedKind = KindWith<'notified'>;
export type Alert = EventOf<KindWith<'alert'>>;
export type StaffAct = KindWith<'act'>;

const ALL: Readonly<Record<string, readonly Fact[]>> = FACTS;

export function hasFact<One extends Fact>(kind: string, fact: One): kind is KindWith<One> {
  return ALL[kind]?.includes(fact) ?? false;
}

export function kindsWith<One extends Fact>(fact: One): KindWith<One>[] {
  return Object.keys(FACTS).filter((kind) => hasFact(kind, fact));
}

export function isPress(event: OrderEvent): event is Press {
  return event.kind in REFUSAL_OF;
}

export function isAnswer({ kind }: OrderEvent): boolean {
  return kind === 'confirmed' || REFUSALS.some((refusal) => refusal === kind);
}

export function isAct(event: OrderEvent): event is EventOf<StaffAct | 'status'> {
  return event.kind === 'status' || hasFact(event.kind, 'act');
}

/** The name of its notification. Never rename one: the outbox has stored it. */
export function notificationOf(kind: NotifiedKind): string {
  return `order-${kind}`;
}

export function copyOf(kind: NotifiedKind): string {
  return `${notificationOf(kind)}-copy`;
}
