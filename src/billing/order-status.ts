/** The statuses of an order, what they follow from, and how one may follow another. */
import type { Cents } from '../platform/money.ts';
import type { PaymentAttempt } from './invoice.ts';
import type { Collection, SubscriptionStatus } from './subscription.ts';

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

/** Before it is paid, an order follows its first payment; from then on, its subscription. */
export function awaitsPayment(status: OrderStatus): boolean {
  return status === 'pending' || status === 'processing' || status === 'failed';
}

/** From its first payment to its end. */
export function isRunning(status: OrderStatus): boolean {
  return status === 'paid' || status === 'past_due';
}

type Subscribed = Pick<SubscriptionFacts, 'status' | 'collection'>;

/**
 * Whether its customer has accepted it: a card has paid, or is saved to be charged. By invoice,
 * before anything is asked for; an active one waits for its first payment.
 */
export function isAccepted({ status, collection }: Subscribed): boolean {
  if (status === 'incomplete' || status === 'canceled') return false;
  return collection === 'card' || status === 'trialing' || status === 'paused';
}

/** Whether it is the customer's plan, which is changed, kept and ended. */
export function isBillable({
  status,
  subscription,
}: {
  status: OrderStatus;
  subscription: Subscribed;
}): boolean {
  return awaitsPayment(status) ? isAccepted(subscription) : isRunning(status);
}

/** Of a billable one: the month has begun, and the card could not be charged for it. */
export function owesByCard({
  status,
  subscription,
}: {
  status: OrderStatus | null;
  subscription: Pick<SubscriptionFacts, 'collection'>;
}): boolean {
  return subscription.collection === 'card' && (status === 'past_due' || status === 'failed');
}

type Mover = 'provider' | 'staff' | 'returned refund';

const EITHER: readonly Mover[] = ['provider', 'staff'];

/** All steps from one status to the next, and by whom or what each is made. */
const STEPS = {
  'pending>processing': EITHER,
  'pending>paid': ['provider'],
  'pending>failed': EITHER,
  'pending>canceled': EITHER,
  'processing>paid': EITHER,
  'processing>failed': EITHER,
  'processing>canceled': EITHER,
  'failed>processing': EITHER,
  'paid>past_due': EITHER,
  'paid>refunded': EITHER,
  'paid>canceled': EITHER,
  'past_due>paid': EITHER,
  'past_due>canceled': EITHER,
  'refunded>canceled': ['returned refund'],
} satisfies { [Step in `${OrderStatus}>${OrderStatus}`]?: readonly Mover[] };
export type Step = keyof typeof STEPS;

export function isStep(step: string): step is Step {
  return Object.hasOwn(STEPS, step);
}

export function canTransition(from: OrderStatus, to: OrderStatus, by: Mover): boolean {
  const step = `${from}>${to}`;
  const movers: readonly Mover[] = isStep(step) ? STEPS[step] : [];
  return movers.includes(by);
}

/** Whether the order is final: nothing more is charged, and no payment reopens it. */
export function isOver(status: OrderStatus): boolean {
  return status === 'canceled' || status === 'refunded';
}

export const REFUNDABLE: readonly OrderStatus[] = ['paid', 'past_due', 'canceled'];

/** Includes refunded orders, whose subscription may still run at the provider. */
export const ENDABLE: readonly OrderStatus[] = ORDER_STATUSES.filter(
  (status) => status !== 'canceled',
);

/** Of the subscription, as the payment provider last reported it. */
export interface SubscriptionFacts {
  collection: Collection;
  status: SubscriptionStatus;
  attempt: PaymentAttempt | null;
}

/** Of all invoices and charges that are stored. */
export interface Billed {
  /** All money that came has gone back. */
  reversed: boolean;
  paid: boolean;
  asked: boolean;
  overdue: boolean;
  /** The newest attempt to pay the first invoice. */
  firstAttempt: PaymentAttempt | null;
  refunded: Cents;
}

/** The status that everything stored implies; 'pending' until a payment is tried. */
export function statusOf(
  { collection, status, attempt }: SubscriptionFacts,
  billing: Billed,
): OrderStatus {
  if (billing.reversed) return 'refunded';
  if (status === 'canceled') return 'canceled';
  const byCard = collection === 'card';
  // It starts on a day to come, or staff have paused it: by card until something is paid, by
  // invoice until it is asked for.
  const waits = status === 'trialing' || status === 'paused';
  if (waits && !(byCard ? billing.paid : billing.asked)) return 'processing';
  const isOwed = byCard && (status === 'past_due' || status === 'unpaid');
  // The first month could not be charged on that day.
  if (isOwed && !billing.paid) return 'failed';
  if (billing.paid) {
    // What the provider says of a card decides; the site's own clock, when an invoice is overdue.
    const isCharged = byCard && (status === 'active' || status === 'trialing');
    return isOwed || (billing.overdue && !isCharged) ? 'past_due' : 'paid';
  }
  // On its start day, the first bill is a draft for an hour; staff may switch from invoice to card.
  if (byCard && status === 'active') return 'processing';
  switch (byCard ? attempt : billing.firstAttempt) {
    case 'processing':
      return 'processing';
    case 'requires_action':
      // Also while the provider awaits a wire or two small deposits.
      return byCard ? 'processing' : 'pending';
    case 'failed':
      return 'failed';
    default:
      return 'pending';
  }
}

/**
 * The allowed transitions that lead to the wanted status. A paid order passes through 'paid', even
 * if it is overdue or refunded by now; a payment after a refusal passes through 'processing'.
 */
export function statusPath(
  from: OrderStatus,
  wanted: OrderStatus,
  { paid, reversed, refunded }: Pick<Billed, 'paid' | 'reversed' | 'refunded'>,
  refundedBefore: Cents,
): OrderStatus[] {
  // Also where the provider has yet to end it: an order that is over stays over.
  const isReturned = refunded < refundedBefore && !reversed;
  if (isReturned && canTransition(from, 'canceled', 'returned refund')) return ['canceled'];
  const path: OrderStatus[] = [];
  let at = from;
  const goTo = (next: OrderStatus) => {
    path.push(next);
    at = next;
  };
  const goals: OrderStatus[] = paid && awaitsPayment(from) ? ['paid', wanted] : [wanted];
  for (const goal of goals) {
    if (at === 'failed' && (goal === 'paid' || goal === 'canceled')) goTo('processing');
    if (at === 'past_due' && goal === 'refunded') goTo('paid');
    if (canTransition(at, goal, 'provider')) goTo(goal);
  }
  return path;
}
