/** Starts the fake Stripe and returns the controls that tests use. */
import { bill, editCustomer, expireIncomplete } from './billing.ts';
import type { Subscription } from './billing-objects.ts';
import { openBrowser } from './browser.ts';
import { chargeDraft, collect, presentPeriod, renew } from './cycles.ts';
import { delivery, makeEvent, type StandInEvent } from './events.ts';
import { type Fault, listen, type RecordedRequest } from './http-server.ts';
import type { Customer, DisputeEnd } from './objects.ts';
import {
  chargeOf,
  closeDispute,
  failRefund,
  openDispute,
  refund,
  warnOfFraud,
} from './reversals.ts';
import { invoiceControls } from './sent-invoices.ts';
import { cancel, create, scheduleChange } from './subscriptions.ts';
import { newId, retrieve, save, Tables, type World } from './world.ts';

interface FakeStripeOptions {
  /** Stripe's clock, in milliseconds like `Date.now`. */
  now?: () => number;
  /** The rate of automatic tax; 0 by default. */
  taxPercent?: number;
  /** See `World`. */
  uncertain?: boolean;
  /** Its keys are those of the live mode. */
  live?: boolean;
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

export async function startFakeStripe({
  now = Date.now,
  taxPercent = 0,
  uncertain = false,
  live = false,
}: FakeStripeOptions = {}) {
  const mode = live ? 'live' : 'test';
  const secretKey = `sk_${mode}_standIn`;
  const publishableKey = `pk_${mode}_standIn`;
  const webhookSecret = 'whsec_standIn';
  const { enqueue, autoDeliver, settled, deliver } = delivery(webhookSecret);
  const state = new Tables();
  const events: StandInEvent[] = [];
  const world: World = {
    ...state,
    events,
    emit(type, object) {
      const event = makeEvent(type, object, world.now());
      events.push(event);
      enqueue(event);
    },
    now: () => Math.floor(now() / 1000),
    taxPercent,
    uncertain,
  };
  const faults: Fault[] = [];
  const requests: RecordedRequest[] = [];
  const browser = openBrowser(world, publishableKey);
  const before: Parameters<typeof listen>[0]['before'] = { act: null };
  const server = await listen({ world, browser, secretKey, faults, requests, before });

  return {
    url: server.url,
    secretKey,
    publishableKey,
    webhookSecret,
    async close() {
      autoDeliver(null);
      await server.close();
    },

    requests: requests as readonly RecordedRequest[],
    state,
    /** How many subscriptions were ever created. */
    subscriptionCount: () => world.subscription.size,

    /** What the customer's browser does, for payments and for saved cards. */
    confirmCard: browser.confirm,
    authenticate: browser.authenticate,
    /** Ends the current period; returns null when the subscription ends with it. */
    renew: (subscription: string, { pay, draft }: { pay?: boolean; draft?: boolean }) =>
      renew(world, subscription, pay, draft),
    chargeDraft: (id: string, succeeds?: boolean) => chargeDraft(world, id, succeeds),
    /** Stripe's retry of an unpaid invoice. */
    retryInvoice: (id: string, { pay }: { pay: boolean }) =>
      collect(world, retrieve(world.invoice, id), pay),
    ...invoiceControls(world),
    expire: (id: string) => expireIncomplete(world, retrieve(world.subscription, id)),
    scheduleChange: (id: string) => scheduleChange(world, id),
    /** Staff sell the same again by hand, to the customer of a subscription that has ended. */
    beginAnew(id: string) {
      const { customer, items, default_payment_method: card } = retrieve(world.subscription, id);
      const again = items.data.map(({ price, quantity }) => ({ price_data: price, quantity }));
      const made = create(world, { customer, items: again, metadata: {} });
      made.default_payment_method = card;
      collect(world, retrieve(world.invoice, made.latest_invoice ?? ''), true);
      return made;
    },
    /** Staff end it in the dashboard, with a last bill or without. */
    cancelSubscription: (id: string, invoiceNow?: boolean) => cancel(world, id, { invoiceNow }),
    /** `id` is a charge's or a payment intent's. Without an amount, refunds all that is left. */
    refundCharge: (id: string, amount?: number) =>
      refund(world, world.charge.get(id) ?? chargeOf(world, id), amount),
    /** The customer's bank returns the newest refund. */
    failRefund: () => failRefund(world, [...world.refund.keys()].at(-1) ?? ''),
    /** Stripe's clock, in Unix seconds. */
    now: world.now,
    emit: world.emit,
    /** Staff, or a customer on Stripe's own pages, correct who is billed. */
    editCustomer: (id: string, edit: (customer: Customer) => void) =>
      void editCustomer(world, id, edit),
    /** Staff edit a subscription in the dashboard. */
    editSubscription(id: string, edit: (subscription: Subscription) => void) {
      const subscription = retrieve(world.subscription, id);
      edit(subscription);
      world.emit('customer.subscription.updated', subscription);
    },
    /** The state changes its rate of sales tax. */
    setTax(percent: number) {
      world.taxPercent = percent;
    },
    /** Staff put an item of their own on the next bill. */
    addToNextBill(id: string, description: string, amount: number) {
      const subscription = retrieve(world.subscription, id);
      const item = { amount, description, quantity: 1, proration: false };
      const period = presentPeriod(subscription);
      save(world.invoiceitem, { ...item, period, id: newId('ii'), subscription: id });
    },
    /** Staff bill an item of their own at once. */
    billNow(id: string, description: string, amount: number, pay: boolean) {
      const subscription = retrieve(world.subscription, id);
      const period = presentPeriod(subscription);
      const sources = [{ amount, description, quantity: 1, period, proration: false }];
      const content = { reason: 'manual' as const, sources, periodEnd: world.now() };
      collect(world, bill(world, subscription, content), pay);
    },
    warnOfFraud: (paymentIntent: string) => warnOfFraud(world, chargeOf(world, paymentIntent)),
    openDispute: (paymentIntent: string, amount?: number) =>
      openDispute(world, chargeOf(world, paymentIntent), amount),
    closeDispute: (id: string, outcome: DisputeEnd) => closeDispute(world, id, outcome),

    events: events as readonly StandInEvent[],
    eventsOf: (type: string) => events.filter((event) => event.type === type),
    deliver,
    /** Posts each event to this URL soon after it happens; null stops that. */
    autoDeliver,
    /** Resolves when all automatic deliveries so far have been answered. */
    settled,

    /** Runs before each API request from now on; a promise delays the request. */
    beforeRequests(act: typeof before.act) {
      before.act = act;
    },
    failNext(fault: Fault) {
      faults.push({ ...fault });
    },
    clearFaults() {
      faults.length = 0;
    },
  };
}
