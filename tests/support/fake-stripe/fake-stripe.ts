/** Starts the double of Stripe, and gives what a test steers it by. */
import { Api } from './api.ts';
import { expireIncomplete, waiveInvoice } from './billing.ts';
import { Browser } from './browser.ts';
import { collect, renew } from './cycles.ts';
import { AutoDelivery, deliver, EventLog, type Target } from './events.ts';
import { type Fault, Faults } from './faults.ts';
import { listen, type RecordedRequest } from './http-server.ts';
import type { Billing, DisputeEnd } from './objects.ts';
import { chargeOf, closeDispute, openDispute, refund } from './reversals.ts';
import { cancel } from './subscriptions.ts';
import { emptyTables, retrieve, rowsOf, type World } from './world.ts';

export interface FakeStripeOptions {
  /** Milliseconds, as Date.now gives them. */
  now?: () => number;
  /** Percent that automatic tax adds; 0 by default. */
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
    /** The API's address, without a slash at the end. */
    url: server.url,
    secretKey,
    publishableKey,
    /** What events are signed with. */
    webhookSecret,
    async close() {
      auto.aim(null);
      await server.close();
    },

    requests: requests as readonly RecordedRequest[],
    browserRequests: browser.requests,
    state: tables,
    /** How many subscriptions were ever made, of one customer or of all. */
    subscriptionCount: (customer?: string) =>
      rowsOf(world, 'subscription', (row) => customer === undefined || row.customer === customer)
        .length,
    /** True when any API request carried the digits of this number, in whatever grouping. */
    sawDigits(number: string) {
      const digits = number.replaceAll(/\D/g, '');
      const valuesOf = (raw: string): string[] => [...new URLSearchParams(raw).values()];
      return requests.some(({ raw }) =>
        valuesOf(raw).some((value) => value.replaceAll(/[\s.-]/g, '').includes(digits)),
      );
    },

    confirmCard: (clientSecret: string, cardNumber: string, billing?: Billing) =>
      browser.confirm(clientSecret, cardNumber, billing),
    authenticate: (clientSecret: string, approve: boolean) =>
      browser.authenticate(clientSecret, approve),
    /** The turn of the period; null when the subscription ends with it. */
    renew: (subscription: string, { pay }: { pay: boolean }) => renew(world, subscription, pay),
    /** Stripe's later attempt on an invoice that stayed unpaid. */
    retryInvoice: (id: string, { pay }: { pay: boolean }) =>
      collect(world, retrieve(world, 'invoice', id), pay),
    /** What staff do in the dashboard with an invoice that stayed unpaid. */
    waiveInvoice: (id: string, how: 'void' | 'uncollectible') =>
      waiveInvoice(world, retrieve(world, 'invoice', id), how),
    expire: (id: string) => expireIncomplete(world, retrieve(world, 'subscription', id)),
    cancelSubscription: (id: string) => cancel(world, id),
    /** `id` is a charge or a payment intent; without an amount, all that is left. */
    refundCharge: (id: string, amount?: number) =>
      refund(world, tables.charge.get(id) ?? chargeOf(world, id), amount),
    openDispute: (paymentIntent: string) => openDispute(world, chargeOf(world, paymentIntent)),
    closeDispute: (id: string, outcome: DisputeEnd) => closeDispute(world, id, outcome),

    events: log.events,
    eventsOf: (type: string) => log.events.filter((event) => event.type === type),
    deliver,
    /** From now on each event is posted there soon after it happens; null stops it. */
    autoDeliver: (target: Target | null) => auto.aim(target),
    /** Resolves when every automatic delivery so far was answered. */
    settled: () => auto.settled(),

    /** What happens at Stripe just before each of the site's requests from now on; a promise delays the request. */
    beforeRequests(act: typeof before.act) {
      before.act = act;
    },
    failNext: (fault: Fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
  };
}
