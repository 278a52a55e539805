/** Starts the fake Stripe and returns the controls that tests use. */
import { Api } from './api.ts';
import { expireIncomplete, waiveInvoice } from './billing.ts';
import { Browser } from './browser.ts';
import { collect, renew } from './cycles.ts';
import { AutoDelivery, deliver, EventLog } from './events.ts';
import { type Fault, Faults } from './faults.ts';
import { listen, type RecordedRequest } from './http-server.ts';
import type { DisputeEnd } from './objects.ts';
import { chargeOf, closeDispute, openDispute, refund } from './reversals.ts';
import { cancel } from './subscriptions.ts';
import { emptyTables, filter, retrieve, type World } from './world.ts';

interface FakeStripeOptions {
  /** Stripe's clock, in milliseconds like `Date.now`. */
  now?: () => number;
  /** The rate of automatic tax; 0 by default. */
  taxPercent?: number;
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

export async function startFakeStripe({ now = Date.now, taxPercent = 0 }: FakeStripeOptions = {}) {
  const secretKey = 'sk_test_standIn';
  const publishableKey = 'pk_test_standIn';
  const webhookSecret = 'whsec_standIn';
  const auto = new AutoDelivery();
  const log = new EventLog(webhookSecret, (event) => auto.enqueue(event));
  const tables = emptyTables();
  const world: World = { tables, log, now: () => Math.floor(now() / 1000), taxPercent };
  const faults = new Faults();
  const browser = new Browser(world, publishableKey);
  const requests: RecordedRequest[] = [];
  const api = new Api(world, secretKey);
  const before: Parameters<typeof listen>[0]['before'] = { act: null };
  const server = await listen({ api, browser, faults, requests, before });

  return {
    url: server.url,
    secretKey,
    publishableKey,
    webhookSecret,
    async close() {
      auto.url = null;
      await server.close();
    },

    requests: requests as readonly RecordedRequest[],
    browserRequests: browser.requests,
    state: tables,
    /** How many subscriptions were ever created, for one customer or for all. */
    subscriptionCount: (customer?: string) =>
      filter(world, 'subscription', (each) => !customer || each.customer === customer).length,

    confirmCard: (clientSecret: string, cardNumber: string) =>
      browser.confirm(clientSecret, cardNumber),
    authenticate: (clientSecret: string, approve: boolean) =>
      browser.authenticate(clientSecret, approve),
    /** Ends the current period; returns null when the subscription ends with it. */
    renew: (subscription: string, { pay }: { pay: boolean }) => renew(world, subscription, pay),
    /** Stripe's retry of an unpaid invoice. */
    retryInvoice: (id: string, { pay }: { pay: boolean }) =>
      collect(world, retrieve(world, 'invoice', id), pay),
    /** Staff write off an unpaid invoice in the dashboard. */
    waiveInvoice: (id: string, how: 'void' | 'uncollectible') =>
      waiveInvoice(world, retrieve(world, 'invoice', id), how),
    expire: (id: string) => expireIncomplete(world, retrieve(world, 'subscription', id)),
    cancelSubscription: (id: string) => cancel(world, id),
    /** `id` is a charge's or a payment intent's. Without an amount, refunds all that is left. */
    refundCharge: (id: string, amount?: number) =>
      refund(world, tables.charge.get(id) ?? chargeOf(world, id), amount),
    openDispute: (paymentIntent: string) => openDispute(world, chargeOf(world, paymentIntent)),
    closeDispute: (id: string, outcome: DisputeEnd) => closeDispute(world, id, outcome),

    events: log.events,
    eventsOf: (type: string) => log.events.filter((event) => event.type === type),
    deliver,
    /** Posts each event to this URL soon after it happens; null stops that. */
    autoDeliver(url: string | null) {
      auto.url = url;
    },
    /** Resolves when all automatic deliveries so far have been answered. */
    settled: () => auto.settled(),

    /** Runs before each API request from now on; a promise delays the request. */
    beforeRequests(act: typeof before.act) {
      before.act = act;
    },
    failNext: (fault: Fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
  };
}
