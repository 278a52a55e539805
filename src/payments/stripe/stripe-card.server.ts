/** The card that a subscription charges at Stripe: saved before the start, and replaced later. */
import Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import type { CardOnFile, PaymentState } from '../../billing/gateway.server.ts';
import { isByBank } from '../../billing/invoice-store.server.ts';
import type { Outcome, Refused } from '../../billing/outcome.server.ts';
import { cardName } from '../../billing/subscription.ts';
import { idOf, isFinal, stripeFailure, updateSubscription } from './stripe-client.server.ts';
import { brandName, isSent } from './stripe-invoices.server.ts';

/** Why a card was refused, as the customer reads it. */
const REFUSALS = {
  notThisCard: 'We couldn’t save this card. Please enter it again.',
  notConfirmed: 'Your bank did not confirm the card. Please try again or use another card.',
  needsApproval:
    'Your new card is saved, but your bank needs your approval for the overdue payment. Please use another card or contact us.',
  notCharged:
    'Your new card is saved, but we couldn’t charge the overdue payment. Please contact us.',
  declined:
    'Your new card is saved, but its bank declined the overdue payment. Please use another card, or ask your bank.',
};

/** Has the subscription charge the saved card from then on. Stripe itself keeps one that paid. */
export async function keepSavedCard(
  stripe: Stripe,
  order: Order,
  found: { setup: Stripe.SetupIntent | null; subscription: Stripe.Subscription | null },
): Promise<void> {
  const { setup, subscription } = found;
  if (order.subscription.status !== 'incomplete' || setup?.status !== 'succeeded') return;
  const { payment_method: saved } = setup;
  if (saved && subscription && !subscription.default_payment_method)
    await updateSubscription(stripe, subscription.id, { default_payment_method: idOf(saved) });
}

export async function startCard(
  stripe: Stripe,
  { customer }: Stripe.Subscription,
  order: Order,
): Promise<{ clientSecret: string }> {
  // Under no key of the order: it takes no money, and each card that is tried needs one of its own.
  const { id, client_secret: clientSecret } = await stripe.setupIntents.create({
    customer: idOf(customer),
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
    metadata: { orderId: order.id },
  });
  if (!clientSecret) throw new Error(`the setup ${id} came without its secret`);
  return { clientSecret };
}

export async function finishCard(
  stripe: Stripe,
  { id, customer }: Stripe.Subscription,
  { invoices }: Order,
  secret: string,
): Promise<Outcome> {
  const card = await retrieveCard(stripe, secret);
  if ('refused' in card) return card;
  if (card.customer !== idOf(customer)) return { refused: REFUSALS.notThisCard };
  const metadata = { [REPLACED_BY]: card.setup };
  await updateSubscription(stripe, id, { default_payment_method: card.id, metadata });
  const open = await stripe.invoices.list({ subscription: id, status: 'open', limit: 100 });
  // What was sent before a card was charged each month, or is being debited, is paid by bank.
  const byBank = new Set(invoices.filter(isByBank).map((invoice) => invoice.id));
  const due = open.data.filter((one) => !isSent(one) && !byBank.has(one.id));
  for (const { id: invoice } of due.reverse()) {
    const paid = await pay(stripe, invoice, card.id);
    if (paid !== 'done') return paid;
  }
  return 'done';
}

/** Metadata key: the setup intent of the newest card that a customer entered here. */
const REPLACED_BY = 'replacedBy';

/** The card that replaced another; `default_payment_method` must be expanded. */
export function replacementOf(running: Stripe.Subscription): Pick<PaymentState, 'replacement'> {
  const id = running.metadata[REPLACED_BY];
  const card = inWords(running.default_payment_method);
  return id ? { replacement: { id, card: card && cardName(card.brand, card.last4) } } : {};
}

/** What to expand in a subscription for `methodCharged`, and for who is billed. */
export const WITH_CUSTOMER = [
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
];

/** What is charged each month, of any kind: the subscription's own, or else the customer's. */
export function methodCharged(subscription: Stripe.Subscription): CardOnFile | null {
  const { default_payment_method: own, customer } = subscription;
  if (isSent(subscription)) return null;
  const settings =
    typeof customer === 'object' && !customer.deleted ? customer.invoice_settings : null;
  return inWords(own ?? settings?.default_payment_method ?? null);
}

function inWords(method: string | Stripe.PaymentMethod | null): CardOnFile | null {
  if (method === null || typeof method === 'string') return null;
  const { type, card, us_bank_account: bank } = method;
  if (card) {
    const { brand, last4, exp_month, exp_year } = card;
    return { brand: brandName(brand), last4, expiryMonth: exp_month, expiryYear: exp_year };
  }
  return {
    brand: bank ? `Bank account${bank.bank_name ? ` at ${bank.bank_name}` : ''}` : brandName(type),
    last4: bank?.last4 ?? null,
    expiryMonth: null,
    expiryYear: null,
    ...(bank && { isBank: true }),
  };
}

/** The confirmed card behind a setup secret. The caller must check whose it is. */
async function retrieveCard(
  stripe: Stripe,
  secret: string,
): Promise<{ id: string; customer: string; setup: string } | Refused> {
  const [, id] = /^(seti_\w{1,100})_secret_\w{1,100}$/.exec(secret) ?? [];
  const intent = id && (await stripe.setupIntents.retrieve(id));
  if (!intent || intent.client_secret !== secret || !intent.customer)
    return { refused: REFUSALS.notThisCard };
  const { status, payment_method: method, customer } = intent;
  return status === 'succeeded' && method
    ? { id: idOf(method), customer: idOf(customer), setup: id }
    : { refused: REFUSALS.notConfirmed };
}

/** Pays an overdue invoice. The new card stays on the subscription even when this fails. */
async function pay(stripe: Stripe, invoice: string, card: string): Promise<Outcome> {
  try {
    await stripe.invoices.pay(invoice, { payment_method: card });
    return 'done';
  } catch (error) {
    const failure = stripeFailure(error, 'pay-overdue');
    // Stripe's own retry may have come first.
    if ((await stripe.invoices.retrieve(invoice)).status === 'paid') return 'done';
    if (failure.code === 'invoice_payment_intent_requires_action')
      return { refused: REFUSALS.needsApproval };
    if (failure instanceof Stripe.errors.StripeCardError) return { refused: REFUSALS.declined };
    return isFinal(failure) ? { refused: REFUSALS.notCharged } : 'unavailable';
  }
}
