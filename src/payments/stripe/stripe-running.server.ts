/** What a customer sees and changes of a running subscription at Stripe, card included. All of it throws Stripe's errors. */
import Stripe from 'stripe';
import type {
  CardOnFile,
  ChangePreview,
  RunningSubscription,
  StaffOutcome,
  SubscriptionChange,
} from '../../orders/gateway.server.ts';
import type { Order } from '../../orders/order-store.server.ts';
import { cents } from '../../platform/money.ts';
import { hasCode, idOf, isFinal, type Refused, stripeFailure } from './stripe-client.server.ts';
import { ensureProducts, itemChanges, ownLines, sumOf } from './stripe-items.server.ts';
import { brandName } from './stripe-state.server.ts';

/** Why a change was not made, as the customer reads it. */
const WORDS = {
  notRunning: 'This plan isn’t running.',
  ended: 'This plan has ended.',
  overdue: 'Your last payment didn’t go through. Please replace the card, then change your plan.',
  ending: 'Your plan is set to end. Please keep it first, then change it.',
  renewed: 'Your plan renewed in the meantime. Please review the change again.',
  changed: 'Your plan changed in the meantime. Please review the change again.',
  individual: 'Our team set up your plan for you. Please contact us to change it.',
  notThisCard: 'We couldn’t save this card. Please enter it again.',
  notConfirmed: 'Your bank did not confirm the card. Please try again or use another card.',
  needsApproval:
    'Your new card is saved, but your bank needs your approval for the overdue payment. Please use another card or contact us.',
  notCharged:
    'Your new card is saved, but we couldn’t charge the overdue payment. Please contact us.',
  declined: 'Your new card is saved, but the overdue payment didn’t go through.',
};

/** An order's subscription once it has been paid, also one that has ended. */
async function retrieve(
  stripe: Stripe,
  { subscriptionId }: Order,
  expand: string[] = [],
): Promise<Stripe.Subscription | Refused> {
  const found = subscriptionId && (await stripe.subscriptions.retrieve(subscriptionId, { expand }));
  return found && found.status !== 'incomplete' ? found : { refused: WORDS.notRunning };
}

async function retrieveRunning(
  stripe: Stripe,
  order: Order,
): Promise<Stripe.Subscription | Refused> {
  const found = await retrieve(stripe, order);
  return !('refused' in found) && isOver(found) ? { refused: WORDS.ended } : found;
}

function isOver({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** The paid month in milliseconds; it is over early where the subscription is. */
function billingPeriod({ items, cancel_at, ended_at }: Stripe.Subscription) {
  const starts = items.data.map(({ current_period_start }) => current_period_start);
  const ends = items.data.map(({ current_period_end }) => current_period_end);
  const end = ended_at ?? Math.min(cancel_at ?? Number.POSITIVE_INFINITY, ...ends);
  return { start: Math.min(...starts) * 1000, end: end * 1000 };
}

export async function getSubscription(
  stripe: Stripe,
  order: Order,
): Promise<RunningSubscription | Refused> {
  const subscription = await retrieve(stripe, order, ['default_payment_method']);
  if ('refused' in subscription) return subscription;
  const bill = isOver(subscription) ? null : await nextBill(stripe, subscription.id);
  return {
    periodEnd: billingPeriod(subscription).end,
    next: bill && { total: cents(bill.amount_due), tax: sumOf(bill.total_taxes ?? []) },
    card: cardOnFile(subscription),
  };
}

/** Null when none will come: the subscription ends before. */
async function nextBill(stripe: Stripe, subscription: string): Promise<Stripe.Invoice | null> {
  try {
    return await stripe.invoices.createPreview({ subscription });
  } catch (error) {
    if (!hasCode(error, 'invoice_upcoming_none')) throw error;
    return null;
  }
}

/** The payment method must have been expanded. */
function cardOnFile({ default_payment_method: method }: Stripe.Subscription): CardOnFile | null {
  const card = typeof method === 'object' ? method?.card : undefined;
  if (!card) return null;
  const { brand, last4, exp_month, exp_year } = card;
  return { brand: brandName(brand), last4, expiryMonth: exp_month, expiryYear: exp_year };
}

/** Takes back that the subscription ends. */
export async function resume(stripe: Stripe, order: Order): Promise<StaffOutcome> {
  const subscription = await retrieveRunning(stripe, order);
  if ('refused' in subscription) return subscription;
  const { id, cancel_at, cancel_at_period_end } = subscription;
  // Stripe's own page for customers sets a time in place of the mark.
  if (cancel_at_period_end) await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  else if (cancel_at) await stripe.subscriptions.update(id, { cancel_at: '' });
  return 'done';
}

export async function previewChange(
  stripe: Stripe,
  order: Order,
  change: SubscriptionChange,
): Promise<ChangePreview | Refused> {
  const planned = await plan(stripe, order, change);
  if ('refused' in planned) return planned;
  const { subscription, parameters } = planned;
  const [before, next] = await Promise.all([
    stripe.invoices.createPreview({ subscription }),
    stripe.invoices.createPreview({
      subscription,
      ...(parameters && { subscription_details: parameters }),
    }),
  ]);
  const monthly = sumOf(change.lines);
  return {
    monthly,
    // By sums: a bill carries ten of its lines, and those of earlier changes are among them.
    difference: cents(next.subtotal - before.subtotal - (monthly - planned.monthly)),
    next: {
      at: next.period_end * 1000,
      total: cents(next.amount_due),
      tax: sumOf(next.total_taxes ?? []),
    },
  };
}

export async function changePlan(
  stripe: Stripe,
  order: Order,
  change: SubscriptionChange,
): Promise<StaffOutcome> {
  const planned = await plan(stripe, order, change);
  if ('refused' in planned) return planned;
  const { subscription, parameters } = planned;
  // It has been made already when an earlier answer was lost.
  if (!parameters) return 'done';
  const { at, lines } = change;
  const metadata = { [CHANGED_AT]: String(at) };
  // Two that ask for the same at once must not add the same item twice.
  const idempotencyKey = `${subscription}-${at}-${sumOf(lines)}-${order.version}`;
  await stripe.subscriptions.update(subscription, { ...parameters, metadata }, { idempotencyKey });
  return 'done';
}

/** The metadata of a subscription in which it keeps when it was changed last. */
const CHANGED_AT = 'changedAt';

async function plan(stripe: Stripe, order: Order, { lines, at }: SubscriptionChange) {
  const [subscription] = await Promise.all([
    retrieveRunning(stripe, order),
    ensureProducts(stripe, order, lines),
  ]);
  if ('refused' in subscription) return subscription;
  const own = ownLines(subscription, order);
  if (!own) return { refused: WORDS.individual };
  const items = itemChanges(order, own, lines);
  const refused = items.length > 0 && findMismatch(subscription, at);
  if (refused) return { refused };
  const prorated = { proration_behavior: 'create_prorations', proration_date: at / 1000 } as const;
  return {
    subscription: subscription.id,
    /** What a month costs now, before tax. */
    monthly: sumOf(own),
    /** The same for what is shown and for what is charged; undefined when nothing is left to change. */
    parameters: items.length > 0 ? { items, ...prorated } : undefined,
  };
}

/** Why the subscription cannot be changed as of then. */
function findMismatch(subscription: Stripe.Subscription, at: number): string | undefined {
  const { status, cancel_at, metadata } = subscription;
  if (status === 'past_due' || status === 'unpaid') return WORDS.overdue;
  if (status !== 'active') return WORDS.notRunning;
  if (cancel_at) return WORDS.ending;
  const { start, end } = billingPeriod(subscription);
  if (at < start || at >= end) return WORDS.renewed;
  // What was shown then did not reckon with a change that came later.
  return Number(metadata[CHANGED_AT]) > at ? WORDS.changed : undefined;
}

/** Begins to replace the card: entered in the browser, charged from then on, and at once for what is overdue. */
export async function startCard(
  stripe: Stripe,
  order: Order,
): Promise<{ clientSecret: string } | Refused> {
  const subscription = await retrieveRunning(stripe, order);
  if ('refused' in subscription) return subscription;
  const intent = await stripe.setupIntents.create({
    customer: idOf(subscription.customer),
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
    metadata: { orderId: order.id },
  });
  if (!intent.client_secret) throw new Error(`the setup ${intent.id} came without its secret`);
  return { clientSecret: intent.client_secret };
}

export async function finishCard(
  stripe: Stripe,
  order: Order,
  secret: string,
): Promise<StaffOutcome> {
  const [subscription, card] = await Promise.all([
    retrieveRunning(stripe, order),
    retrieveCard(stripe, secret),
  ]);
  if ('refused' in subscription) return subscription;
  if ('refused' in card) return card;
  const { id } = subscription;
  if (card.customer !== idOf(subscription.customer)) return { refused: WORDS.notThisCard };
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
  const open = await stripe.invoices.list({ subscription: id, status: 'open' });
  for (const invoice of open.data.flatMap((bill) => bill.id ?? []).reverse()) {
    const paid = await pay(stripe, invoice, card.id);
    if (paid !== 'done') return paid;
  }
  return 'done';
}

/** The card behind a secret, once the bank has confirmed it; whose it is remains to be compared. */
async function retrieveCard(
  stripe: Stripe,
  secret: string,
): Promise<{ id: string; customer: string } | Refused> {
  const [, id] = /^(seti_\w{1,100})_secret_\w{1,100}$/.exec(secret) ?? [];
  const intent = id && (await stripe.setupIntents.retrieve(id));
  if (!intent || intent.client_secret !== secret || !intent.customer)
    return { refused: WORDS.notThisCard };
  const { status, payment_method: method, customer } = intent;
  return status === 'succeeded' && method
    ? { id: idOf(method), customer: idOf(customer) }
    : { refused: WORDS.notConfirmed };
}

/** A refusal leaves the card where it is. */
async function pay(stripe: Stripe, invoice: string, card: string): Promise<StaffOutcome> {
  try {
    await stripe.invoices.pay(invoice, { payment_method: card });
    return 'done';
  } catch (error) {
    const failure = stripeFailure(error, 'pay-overdue');
    // Stripe's own attempt may have been faster.
    if ((await stripe.invoices.retrieve(invoice)).status === 'paid') return 'done';
    if (failure.code === 'invoice_payment_intent_requires_action')
      return { refused: WORDS.needsApproval };
    if (failure instanceof Stripe.errors.StripeCardError)
      return { refused: `${WORDS.declined} ${failure.message}` };
    return isFinal(failure) ? { refused: WORDS.notCharged } : 'unavailable';
  }
}
