import { Api } from './api.ts';
import { expireIncomplete, waiveInvoice } from './billing.ts';
import { Browser, type ConfirmOutcome, type GivenBilling } from './browser.ts';
import type { BrowserRequest } from './browser-endpoints.ts';
import { AutoDelivery, type DeliverOptions, type Delivery, post, type Target } from './delivery.ts';
import { apiVersion, EventLog, type StandInEvent } from './event-log.ts';
import { type Fault, Faults } from './faults.ts';
import { listen, type RecordedRequest } from './http-server.ts';
import type { Invoice } from './objects-invoice.ts';
import type { Dispute, DisputeEnd, Refund } from './objects-reversal.ts';
import type { Subscription } from './objects-subscription.ts';
import { attemptInvoice, type Outcome } from './payments.ts';
import { renew } from './renewals.ts';
import { closeDispute, type DisputeInput, openDispute, refund } from './reversals.ts';
import { cancel } from './subscriptions.ts';
import {
  emptyTables,
  newId,
  retrieve,
  type Tables,
  type WebhookEndpointSetting,
  type World,
} from './world.ts';

export interface FakeStripeOptions {
  secretKey?: string;
  publishableKey?: string;
  /** What events are signed with unless a delivery says otherwise. */
  webhookSecret?: string;
  autoDeliver?: Target;
  /** What `GET /v1/webhook_endpoints` lists. */
  webhookEndpoints?: WebhookEndpointSetting[];
  /** Milliseconds, as Date.now gives them. */
  now?: () => number;
  /** Percent that automatic tax adds; 0 by default. */
  taxPercent?: number;
  /** The account's default version, when it is another than ours. */
  accountVersion?: string;
}

export interface FakeStripe {
  /** The API's address, without a slash at the end. */
  readonly url: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  close(): Promise<void>;

  readonly requests: readonly RecordedRequest[];
  readonly browserRequests: readonly BrowserRequest[];
  readonly state: {
    readonly [K in keyof Tables]: ReadonlyMap<
      string,
      Tables[K] extends Map<string, infer T> ? T : never
    >;
  };
  /** How many subscriptions were ever made, of one customer or of all. */
  subscriptionCount(customer?: string): number;
  /** True when any API request carried the digits of this number, in whatever grouping. */
  sawDigits(number: string): boolean;

  confirmCard(clientSecret: string, cardNumber: string, billing?: GivenBilling): ConfirmOutcome;
  authenticate(clientSecret: string, approve: boolean): ConfirmOutcome;
  retrievePaymentIntent(clientSecret: string): ConfirmOutcome;
  /** A payment whose end takes its time, which no test card does. */
  startProcessing(clientSecret: string): ConfirmOutcome;
  finishProcessing(clientSecret: string, succeeds: boolean): ConfirmOutcome;
  renew(subscription: string, end: { pay: Outcome }): Invoice | null;
  /** Stripe's later attempt on an invoice that stayed unpaid. */
  retryInvoice(invoice: string, end: { pay: Outcome }): Invoice;
  /** What staff do in the dashboard with an invoice that stayed unpaid. */
  waiveInvoice(invoice: string, how: 'void' | 'uncollectible'): Invoice;
  expire(subscription: string): Subscription;
  cancelSubscription(subscription: string): Subscription;
  /** `id` is a charge or a payment intent; without an amount, all that is left. */
  refundCharge(id: string, amount?: number): Refund;
  openDispute(id: string, input?: DisputeInput): Dispute;
  closeDispute(dispute: string, outcome: DisputeEnd): Dispute;

  readonly events: readonly StandInEvent[];
  eventsOf(type: string): StandInEvent[];
  deliver(
    events: StandInEvent | readonly StandInEvent[],
    options?: DeliverOptions,
  ): Promise<Delivery[]>;
  /** From now on each event is posted there soon after it happens; null stops it. */
  autoDeliver(target: Target | null): void;
  readonly deliveries: readonly Delivery[];
  /** Resolves when every automatic delivery so far was answered. */
  settled(): Promise<void>;

  failNext(fault: Fault): void;
  clearFaults(): void;
}

export const startFakeStripe = async (options: FakeStripeOptions = {}): Promise<FakeStripe> => {
  const secretKey = options.secretKey ?? 'sk_test_standIn';
  const publishableKey = options.publishableKey ?? 'pk_test_standIn';
  const webhookSecret = options.webhookSecret ?? 'whsec_standIn';
  const clock = options.now ?? Date.now;
  const log = new EventLog(() => webhookSecret);
  const tables = emptyTables();
  const world: World = {
    tables,
    log,
    now: () => Math.floor(clock() / 1000),
    accountId: `acct_${newId('x').slice(2, 18)}`,
    taxPercent: options.taxPercent ?? 0,
    webhookEndpoints: options.webhookEndpoints ?? [],
    accountVersion: options.accountVersion ?? apiVersion,
    request: null,
  };
  const auto = new AutoDelivery();
  auto.aim(options.autoDeliver ?? null);
  log.onEvent((event) => auto.enqueue(event));
  const faults = new Faults();
  const browser = new Browser(world);
  const requests: RecordedRequest[] = [];
  const browserRequests: BrowserRequest[] = [];
  const api = new Api(world, secretKey);
  const server = await listen({ api, browser, faults, publishableKey, requests, browserRequests });

  const deliver = async (
    events: StandInEvent | readonly StandInEvent[],
    given: DeliverOptions = {},
  ): Promise<Delivery[]> => {
    const to = given.to ?? auto.target?.url;
    if (to === undefined)
      throw new Error('deliver needs `to`, or an automatic target to fall back on');
    const signing = {
      secret: given.secret ?? auto.target?.secret ?? webhookSecret,
      bad: given.badSignature ?? false,
      ...(given.timestamp === undefined ? {} : { timestamp: given.timestamp }),
    };
    const once = 'signature' in events ? [events] : events;
    const all = Array.from({ length: given.times ?? 1 }, () => once).flat();
    if (given.together === true) return Promise.all(all.map((event) => post(event, to, signing)));
    const deliveries: Delivery[] = [];
    for (const event of all) deliveries.push(await post(event, to, signing));
    return deliveries;
  };

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
    browserRequests,
    state: tables,
    subscriptionCount: (customer) =>
      [...tables.subscription.values()].filter(
        (row) => customer === undefined || row.customer === customer,
      ).length,
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
    retrievePaymentIntent: (clientSecret) => browser.retrieve(clientSecret),
    startProcessing: (clientSecret) => browser.startProcessing(clientSecret),
    finishProcessing: (clientSecret, succeeds) => browser.finishProcessing(clientSecret, succeeds),
    renew: (subscription, { pay }) => renew(world, subscription, pay),
    retryInvoice(id, { pay }) {
      const invoice = retrieve(world, 'invoice', id);
      attemptInvoice(world, invoice, pay);
      return invoice;
    },
    waiveInvoice(id, how) {
      const invoice = retrieve(world, 'invoice', id);
      waiveInvoice(world, invoice, how);
      return invoice;
    },
    expire(id) {
      const subscription = retrieve(world, 'subscription', id);
      expireIncomplete(world, subscription);
      return subscription;
    },
    cancelSubscription: (id) => cancel(world, id),
    refundCharge: (id, amount) =>
      refund(world, id.startsWith('pi_') ? { payment_intent: id, amount } : { charge: id, amount }),
    openDispute: (id, input = {}) => openDispute(world, id, input),
    closeDispute: (id, outcome) => closeDispute(world, id, outcome),
    events: log.events,
    eventsOf: (type) => log.events.filter((event) => event.type === type),
    deliver,
    autoDeliver: (target) => auto.aim(target),
    deliveries: auto.deliveries,
    settled: () => auto.settled(),
    failNext: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
  };
};
