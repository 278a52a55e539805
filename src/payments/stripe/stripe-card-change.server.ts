/** Another card for a running subscription: entered in the browser, charged from then on, and at once for what is overdue. */
import Stripe from 'stripe';
import type { StaffOutcome } from '../../orders/gateway.server.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { idOf, isFinal, isMissing, type Refused, stripeFailure } from './stripe-client.server.ts';
import { retrieveRunning } from './stripe-plan-change.server.ts';
import { orderMark } from './stripe-subscription.server.ts';
import * as words from './stripe-words.ts';

type Order = Row<'orders'>;

/** Throws Stripe's errors, as all of these do. */
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
    metadata: orderMark(order),
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
  const customer = idOf(subscription.customer);
  if (card.customer !== customer) return { refused: words.NOT_THIS_CARD };
  await Promise.all([
    stripe.subscriptions.update(id, { default_payment_method: card.id }),
    stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } }),
  ]);
  const open = await stripe.invoices.list({ subscription: id, status: 'open' });
  for (const invoice of open.data.flatMap((bill) => bill.id ?? []).reverse()) {
    const paid = await pay(stripe, invoice, card.id);
    if (paid !== 'done') return paid;
  }
  return 'done';
}

/** The card behind a secret, once the bank has confirmed it; whose it is remains to be compared. */
async function retrieveCard(stripe: Stripe, secret: string) {
  const [, id] = /^(seti_\w{1,100})_secret_\w{1,100}$/.exec(secret) ?? [];
  const unknown = { refused: words.NOT_THIS_CARD };
  if (!id) return unknown;
  try {
    const intent = await stripe.setupIntents.retrieve(id);
    const { client_secret, customer, payment_method: method, status } = intent;
    if (client_secret !== secret || !customer) return unknown;
    return status === 'succeeded' && method
      ? { id: idOf(method), customer: idOf(customer) }
      : { refused: words.CARD_NOT_CONFIRMED };
  } catch (error) {
    if (!isMissing(error, id)) throw error;
    return unknown;
  }
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
      return { refused: words.NEEDS_APPROVAL };
    if (failure instanceof Stripe.errors.StripeCardError)
      return { refused: words.declinedOverdue(failure.message) };
    return isFinal(failure) ? { refused: words.NOT_CHARGED } : 'unavailable';
  }
}
