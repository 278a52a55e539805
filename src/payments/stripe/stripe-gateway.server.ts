/** Stripe as the provider: an order is a monthly subscription, its first invoice the payment. */
import Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import type {
  Gateway,
  NotStarted,
  PaymentState,
  ProviderPayment,
  RefundPart,
} from '../../billing/gateway.server.ts';
import { savePayment } from '../../billing/order-store.server.ts';
import {
  isNotDone,
  type NotDone,
  type Outcome,
  outdated,
  PAID_MEANWHILE,
} from '../../billing/outcome.server.ts';
import { wasStarted } from '../../billing/subscription-store.server.ts';
import type { Faults } from '../../notifications/faults.server.ts';
import type { Site } from '../../site.server.ts';
import { keepSavedCard } from './stripe-card.server.ts';
import { callStripe, isKeyConflict, makeOnce, orUnavailable } from './stripe-client.server.ts';
import { cancelFirstPayment, changeEnd, endPlan } from './stripe-end.server.ts';
import { PAID_PRESS } from './stripe-invoices.server.ts';
import { setPrices } from './stripe-prices.server.ts';
import { stripeSubscriptions } from './stripe-running.server.ts';
import type { StripeSettings } from './stripe-settings.server.ts';
import { findAtStripe, stateOf } from './stripe-state.server.ts';
import {
  checkPostalCode,
  findStarted,
  notTakenOrThrow,
  setCustomer,
  setPoNumber,
  subscribe,
} from './stripe-subscription.server.ts';

export function stripeGateway(
  stripe: Stripe,
  settings: StripeSettings,
  { db, company, faults }: Pick<Site, 'db' | 'company'> & { faults?: Faults },
): Gateway {
  /** What Stripe refuses for good, no buyer can mend: staff hear of it. */
  async function start(order: Order): Promise<ProviderPayment | NotStarted> {
    const { tax } = settings;
    const started = await callStripe(
      'start',
      () => subscribe({ db, stripe, company, tax }, order).catch(notTakenOrThrow),
      // Of the key, every call says so.
      ({ statusCode = 0, message }) => (statusCode === 401 || statusCode === 403 ? '' : message),
    );
    if (started === 'unavailable') return started;
    if (!isNotDone(started)) {
      await faults?.works('stripe-start');
      return started;
    }
    if (started.refused === '') return 'unavailable';
    await faults?.failed('stripe-start', started.refused, { sure: true });
    return 'refused';
  }

  /** Completes the order with its ids at Stripe, in case that response was lost. */
  async function withStripeIds(order: Order): Promise<Order> {
    if (wasStarted(order.subscription)) return order;
    const started = await findStarted(stripe, order);
    return started ? savePayment(db, order.id, started) : order;
  }

  async function fetchStarted(order: Order): Promise<PaymentState> {
    if (!wasStarted(order.subscription)) return {};
    const found = await findAtStripe(stripe, order);
    // Before the state says that it is saved, and the card is not looked at again.
    await keepSavedCard(stripe, order, found);
    return stateOf(stripe, order, company, found);
  }

  /** Acts on the order's subscription, or returns `without` when it has none. */
  async function withSubscription<const Done>(
    during: string,
    order: Order,
    without: Done,
    act: (id: string) => Promise<Done>,
  ): Promise<Done | NotDone> {
    return forStaff(during, async () => {
      const { subscriptionId: id } = (await withStripeIds(order)).subscription;
      return id === null ? without : act(id);
    });
  }

  return {
    provider: 'stripe',
    name: 'Stripe',
    chargesRealMoney: settings.live,
    updatesOrders: false,
    tax: settings.tax,
    start,
    checkPostalCode: (code) => orUnavailable('check-place', checkPostalCode(stripe, code)),
    fetchPaymentState: (order) =>
      orUnavailable('fetch-state', withStripeIds(order).then(fetchStarted).catch(missingState)),
    // A subscription that a concurrent start is creating is canceled when that saves it.
    cancelPayment: (order) =>
      withSubscription('cancel-payment', order, 'canceled', (id) =>
        cancelFirstPayment(stripe, order, id),
      ),
    refund: (order, parts, asked) =>
      forStaff('refund', async () => {
        for (const part of parts) {
          const outcome = await refund(stripe, order, part, asked);
          if (outcome !== 'done') return outcome;
        }
        return 'done';
      }),
    markPaid: (order, id, pressId) =>
      forStaff('mark-paid', () => payOutOfBand(stripe, order, id, pressId)),
    invoicePages: (order) =>
      withSubscription('invoice-pages', order, new Map<string, string>(), async (subscription) => {
        const open = await stripe.invoices.list({ subscription, status: 'open', limit: 100 });
        return new Map(
          open.data.flatMap(({ id, hosted_invoice_url: url }) => (url ? [[id, url]] : [])),
        );
      }),
    setCustomer: (order) => forStaff('set-customer', () => setCustomer(stripe, order)),
    setPoNumber: (order, poNumber) =>
      withSubscription('po-number', { ...order, poNumber }, 'done', async (id) => {
        // Stripe changes nothing of what has ended, and no invoice follows.
        if (order.subscription.status !== 'canceled') await setPoNumber(stripe, id, poNumber);
        return 'done';
      }),
    cancel: (order, when, pressId) =>
      withSubscription('cancel', order, 'done', async (id) => {
        if (when === 'now') await endPlan(stripe, order, id);
        else await changeEnd(stripe, id, { cancel_at_period_end: true }, pressId);
        return 'done';
      }),
    customerUrl: (id) =>
      `https://dashboard.stripe.com/${settings.live ? '' : 'test/'}customers/${id}`,
    subscriptions: stripeSubscriptions(stripe),
    setPrices: (order, prices, asked) =>
      forStaff('set-prices', () => setPrices(stripe, order, prices, asked)),
  };
}

/** What Stripe no longer has will not come back by asking again. */
function missingState(error: unknown): PaymentState {
  if (!(error instanceof Stripe.errors.StripeError) || error.code !== 'resource_missing')
    throw error;
  return { alerts: [{ kind: 'missing-at-provider', what: error.message }] };
}

/** Staff read Stripe's own reason for a refusal. */
function forStaff<const Done>(during: string, act: () => Promise<Done>): Promise<Done | NotDone> {
  return callStripe(during, act, ({ message }) => message);
}

/** The key has no amount: one decision wins. */
async function refund(
  stripe: Stripe,
  order: Order,
  { charge, amount }: RefundPart,
  { decision }: Parameters<Gateway['refund']>[2],
): Promise<Outcome> {
  const key = `refund-${decision}-${charge}`;
  return makeOnce(order, key, async (options, attempt): Promise<Outcome> => {
    const made = attempt > 1 ? (await stripe.refunds.list({ charge, limit: 100 })).data : [];
    if (made.some(({ metadata }) => metadata?.decision === decision)) return 'done';
    try {
      await stripe.refunds.create({ charge, amount, metadata: { decision } }, options);
    } catch (error) {
      // The key was used for another amount.
      if (isKeyConflict(error)) return outdated(order);
      throw error;
    }
    return 'done';
  });
}

/** Stripe then charges nothing. A repeated call finds what the first one did. */
async function payOutOfBand(
  stripe: Stripe,
  order: Order,
  id: string,
  pressId: number,
): Promise<Outcome> {
  const invoice = await stripe.invoices.retrieve(id);
  if (invoice.status === 'paid') {
    const isByPress = invoice.amount_paid_off_stripe && invoice.metadata?.[PAID_PRESS];
    return isByPress ? 'done' : { refused: PAID_MEANWHILE };
  }
  // Before it is paid: that answer may never come.
  await stripe.invoices.update(id, { metadata: { [PAID_PRESS]: String(pressId) } });
  await makeOnce(order, `out-of-band-${id}`, (options) =>
    stripe.invoices.pay(id, { paid_out_of_band: true }, options),
  );
  return 'done';
}
