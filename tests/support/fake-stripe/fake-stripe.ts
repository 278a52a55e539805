import { Api } from './api.ts';
import { expireIncomplete, waiveInvoice } from './billing.ts';
import type { Invoice, Subscription } from './billing-objects.ts';
import { Browser, type BrowserRequest, type ConfirmOutcome } from './browser.ts';
import { collect, renew } from './cycles.ts';
import {
  AutoDelivery,
  type DeliverOptions,
  type Delivery,
  deliver,
  type Target,
} from './delivery.ts';
import { EventLog, type StandInEvent } from './event-log.ts';
import { type Fault, Faults } from './faults.ts';
import { listen, type RecordedRequest } from './http-server.ts';
import type { Billing, Dispute, DisputeEnd, Refund } from './objects.ts';
import { chargeOf, closeDispute, openDispute, refund } from './reversals.ts';
import { cancel } from './subscriptions.ts';
import { emptyTables, type Rows, retrieve, rowsOf, type World } from './world.ts';

export interface FakeStripeOptions {
  secretKey?: string;
  publishableKey?: string;
  /** Milliseconds, as Date.now gives them. */
  now?: () => number;
  /** Percent that automatic tax adds; 0 by default. */
  taxPercent?: number;
}

export interface FakeStripe {
  /** The API's address, without a slash at the end. */
  readonly url: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** What events are signed with. */
  readonly webhookSecret: string;
  close(): Promise<void>;

  readonly requests: readonly RecordedRequest[];
  readonly browserRequests: readonly BrowserRequest[];
  readonly state: { readonly [K in keyof Rows]: ReadonlyMap<string, Rows[K]> };
  /** How many subscriptions were ever made, of one customer or of all. */
  subscriptionCount(customer?: string): number;
  /** True when any API request carried the digits of this number, in whatever grouping. */
  sawDigits(number: string): boolean;

  confirmCard(clientSecret: string, cardNumber: string, billing?: Billing): ConfirmOutcome;
  authenticate(clientSecret: string, approve: boolean): ConfirmOutcome;
  /** The turn of the period; null when the subscription ends with it. */
  renew(subscription: string, end: { pay: boolean }): Invoice | null;
  /** Stripe's later attempt on an invoice that stayed unpaid. */
  retryInvoice(invoice: string, end: { pay: boolean }): void;
  /** What staff do in the dashboard with an invoice that stayed unpaid. */
  waiveInvoice(invoice: string, how: 'void' | 'uncollectible'): void;
  expire(subscription: string): void;
  cancelSubscription(subscription: string): Subscription;
  /** `id` is a charge or a payment intent; without an amount, all that is left. */
  refundCharge(id: string, amount?: number): Refund;
  openDispute(paymentIntent: string): Dispute;
  closeDispute(dispute: string, outcome: DisputeEnd): Dispute;

  readonly events: readonly StandInEvent[];
  eventsOf(type: string): StandInEvent[];
  deliver(events: readonly StandInEvent[], options: DeliverOptions): Promise<Delivery[]>;
  /** From now on each event is posted there soon after it happens; null stops it. */
  autoDeliver(target: Target | null): void;
  /** Resolves when every automatic delivery so far was answered. */
  settled(): Promise<void>;

  /** What happens at Stripe just before each of the site's requests from now on; a promise delays the request. */
  beforeRequests(act: ((path: string) => void | Promise<void>) | null): void;
  failNext(fault: Fault): void;
  clearFaults(): void;
}

export const startFakeStripe = async (options: FakeStripeOptions = {}): Promise<FakeStripe> => {
  const { secretKey = 'sk_test_standIn', publishableKey = 'pk_test_standIn' } = options;
  const webhookSecret = 'whsec_standIn';
  const clock = options.now ?? Date.now;
  const auto = new AutoDelivery();
  const log = new EventLog(webhookSecret, (event) => auto.enqueue(event));
  const tables = emptyTables();
  const world: World = {
    tables,
    log,
    now: () => Math.floor(clock() / 1000),
    taxPercent: options.taxPercent ?? 0,
  };
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
      auto.aim(null);
      await server.close();
    },
    requests,
    browserRequests: browser.requests,
    state: tables,
    subscriptionCount: (customer) =>
      rowsOf(world, 'subscription', (row) => customer === undefined || row.customer === customer)
        .length,
    sawDigits(number) {
      const digits = number.replaceAll(/\D/g, '');
      const valuesOf = (raw: string): string[] => [...new URLSearchParams(raw).values()];
      return requests.some(({ raw }) =>
        valuesOf(raw).some((value) => value.replaceAll(/[\s.-]/g, '').includes(digits)),
      );
    },
    confirmCard: (clientSecret, cardNumber, billing) =>
      browser.confirm(clientSecret, cardNumber, billing),
    authenticate: (clientSecret, approve) => browser.authenticate(clientSecret, approve),
    renew: (subscription, { pay }) => renew(world, subscription, pay),
    retryInvoice: (id, { pay }) => collect(world, retrieve(world, 'invoice', id), pay),
    waiveInvoice: (id, how) => waiveInvoice(world, retrieve(world, 'invoice', id), how),
    expire: (id) => expireIncomplete(world, retrieve(world, 'subscription', id)),
    cancelSubscription: (id) => cancel(world, id),
    refundCharge: (id, amount) =>
      refund(world, tables.charge.get(id) ?? chargeOf(world, id), amount),
    openDispute: (id) => openDispute(world, chargeOf(world, id)),
    closeDispute: (id, outcome) => closeDispute(world, id, outcome),
    events: log.events,
    eventsOf: (type) => log.events.filter((event) => event.type === type),
    deliver,
    autoDeliver: (target) => auto.aim(target),
    settled: () => auto.settled(),
    beforeRequests(act) {
      before.act = act;
    },
    failNext: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
  };
};
