/** The real site in Stripe mode with the fake Stripe, and the steps of a purchase. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Order } from '../../src/billing/billed-order.server.ts';
import { getOrder } from '../../src/billing/order-store.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { post, type StandInEvent, sign } from './fake-stripe/events.ts';
import { type FakeStripe, startFakeStripe } from './fake-stripe/fake-stripe.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import type { Answered, Visitor } from './visitor.ts';

export interface StripeShop {
  fake: FakeStripe;
  app: TestApp;
  /** The URL to deliver events to. */
  webhook: string;
  /** A signed-in member of staff. */
  staff: Visitor;
  /** Restarts the site on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

type FakeOptions = Parameters<typeof startFakeStripe>[0];

export function openShop(
  variables: Record<string, string> = {},
  options: FakeOptions = {},
  content?: string,
): Promise<StripeShop> {
  return openAs({} as StripeShop, variables, options, content);
}

/** Opens a shop before the tests of a file or `describe`, and closes it afterwards. */
export function sharedShop(...settings: Parameters<typeof openShop>): StripeShop {
  const shop = {} as StripeShop;
  beforeAll(async () => {
    await openAs(shop, ...settings);
  });
  afterAll(() => shop.close());
  return shop;
}

async function openAs(
  shop: StripeShop,
  variables: Record<string, string> = {},
  options: FakeOptions = {},
  content?: string,
): Promise<StripeShop> {
  const fake = await startFakeStripe(options);
  const open = async (app: TestApp) => {
    const webhook = `${app.address}/api/stripe/webhook`;
    Object.assign(shop, { app, webhook, staff: await app.staff() });
  };
  await open(await startTestApp({ ...stripeVariables(fake), ...variables }, content));
  return Object.assign(shop, {
    fake,
    restart: async () => open(await shop.app.restart()),
    async close() {
      await shop.app.stop();
      await fake.close();
    },
  });
}

export function stripeVariables(fake: FakeStripe): Record<string, string> {
  return {
    STRIPE_SECRET_KEY: fake.secretKey,
    STRIPE_PUBLISHABLE_KEY: fake.publishableKey,
    STRIPE_WEBHOOK_SECRET: fake.webhookSecret,
    STRIPE_API_URL: fake.url,
  };
}

/** Professional with 20 Business Standard users and backup: $850 + $250 + $99. */
export const PURCHASE = {
  planId: 2,
  name: 'Pat Buyer',
  email: 'pat@example.com',
  phone: '770 555 0100',
  ms365Option: 'business_standard',
  ms365Users: 20,
  includeCloudBackup: true,
  amount: 1199,
  paymentMethod: 'credit_card',
};

export interface Started {
  visitor: Visitor;
  orderId: number;
  clientSecret: string;
}

/** The payment intent's id, which its client secret starts with. */
export function paymentOf({ clientSecret }: Started): string {
  return clientSecret.split('_secret_')[0] ?? '';
}

export function submit(
  visitor: Visitor,
  change: Partial<typeof PURCHASE> & Record<string, unknown> = {},
  key: string = randomUUID(),
): Promise<Answered> {
  return visitor.post(
    '/api/create-payment-intent',
    { ...PURCHASE, ...change },
    { 'Idempotency-Key': key },
  );
}

/** Submits until answered, as a client does when the server is busy or the line breaks. */
export async function insist(
  visitor: () => Visitor,
  change: Partial<typeof PURCHASE>,
  key: string,
): Promise<Answered> {
  for (;;) {
    // A new IP address for each try, or the rate limit on orders would stop the test.
    const answered = await submit(visitor(), change, key).catch(() => undefined);
    if (answered && answered.status !== 503) return answered;
    await pause(100);
  }
}

/** Places an order, as a new buyer unless `change` has an email address. */
export async function order(
  shop: StripeShop,
  change: Partial<typeof PURCHASE> & { postalCode?: string; company?: string } = {},
): Promise<Started> {
  const visitor = shop.app.visitor();
  const email = `${randomUUID()}@example.com`;
  const { status, json, text } = await submit(visitor, { email, ...change });
  if (status !== 200) throw new Error(`the order was not placed: ${status} ${text}`);
  return { visitor, orderId: json.orderId, clientSecret: json.clientSecret };
}

/** Places and pays an order. With `autoDeliver`, the site has processed the payment's events. */
export async function paidOrder(
  shop: StripeShop,
  change: Parameters<typeof order>[1] = {},
): Promise<Started> {
  const placed = await order(shop, change);
  shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
  await shop.fake.settled();
  return placed;
}

/** The order's row in the database. */
export function rowOf({ app }: StripeShop, orderId: number): Promise<Order> {
  return getOrder(app.database.db, { id: orderId });
}

/** Makes all orders older. */
export async function ageOrders({ app }: StripeShop, minutes: number): Promise<void> {
  await app.database.db
    .updateTable('orders')
    .set(({ eb }) => ({ createdAt: eb('createdAt', '-', minutes * 60_000) }))
    .execute();
}

export async function subscriptionOf(
  shop: StripeShop,
  { orderId }: Pick<Started, 'orderId'>,
): Promise<string> {
  return (await rowOf(shop, orderId)).subscription.subscriptionId ?? '';
}

/** The order's subscription as Stripe has it. */
export async function atStripe(shop: StripeShop, placed: Pick<Started, 'orderId'>) {
  const subscription = shop.fake.state.subscription.get(await subscriptionOf(shop, placed));
  if (!subscription) throw new Error('there is no subscription at Stripe');
  return subscription;
}

/** The order's next month begins at Stripe, which reports it. */
export async function renew(
  shop: StripeShop,
  placed: Pick<Started, 'orderId'>,
  how: Parameters<FakeStripe['renew']>[1] = { pay: true },
) {
  const month = shop.fake.renew(await subscriptionOf(shop, placed), how);
  await shop.fake.settled();
  if (!month) throw new Error('no month has begun');
  return month;
}

/** The order as staff see it, with its history. */
export async function seenByStaff(shop: StripeShop, orderId: number): Promise<Answered['json']> {
  return (await shop.staff.move().get(`/api/orders/${orderId}`)).json;
}

/** Staff press this at an order, as it is now. */
export async function press(shop: StripeShop, orderId: number, call: string, body: object) {
  const { version } = await seenByStaff(shop, orderId);
  return shop.staff.post(`/api/admin/orders/${orderId}/${call}`, { ...body, version });
}

/** Settings under which mails are stored in the outbox; nothing listens on this port. */
export const WITH_MAIL = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'shop@example.com',
  MAIL_TO: 'staff@example.com',
};

/** Waits for the status: the reconciliation at startup runs alongside the first requests. */
export async function becomes(
  shop: StripeShop,
  { orderId }: Started,
  status: string,
): Promise<void> {
  await expect.poll(async () => (await seenByStaff(shop, orderId)).status).toBe(status);
}

/** All statuses of the order so far, oldest first. */
export async function statusesOf(shop: StripeShop, { orderId }: Started): Promise<string[]> {
  const { history } = await seenByStaff(shop, orderId);
  return history.map(({ status }: { status: string }) => status);
}

/** The channels on which a kind of notification about the order was stored, by name. */
export async function toldOf(
  { app }: StripeShop,
  { orderId }: Pick<Started, 'orderId'>,
  kind: string,
) {
  const rows = app.database.db.selectFrom('outbox').select('channel').where('kind', '=', kind);
  const told = await rows.where('topic', '=', `order ${orderId}`).execute();
  return told.map(({ channel }) => channel).sort();
}

/** The number of receipts for the order in the outbox. */
export function receiptsFor({ app }: StripeShop, orderId: number): Promise<number> {
  return countEmails(app.database.db, 'order-paid', orderId);
}

/** The number of emails of a kind to the order's customer in the outbox. */
export async function countEmails(db: Db, kind: string, orderId: number): Promise<number> {
  const emails = await db
    .selectFrom('outbox')
    .select('id')
    .where('channel', '=', 'mail-customer')
    .where('kind', '=', kind)
    .where('subjectId', '=', orderId)
    .execute();
  return emails.length;
}

/** Returns the events that `act` causes, without delivering them. */
export async function eventsDuring(
  { fake }: StripeShop,
  act: () => unknown,
): Promise<StandInEvent[]> {
  const before = fake.events.length;
  await act();
  return fake.events.slice(before);
}

/** The number of stored events that the site has not processed yet. */
export async function eventsWaiting({ app }: StripeShop): Promise<number> {
  const { db } = app.database;
  const waiting = await db
    .selectFrom('providerEvents')
    .select('id')
    .where('settled', '=', 0)
    .execute();
  return waiting.length;
}

interface Posting {
  secret?: string;
  /** The signature's time in Unix seconds. */
  timestamp?: number;
  /** Replaces the signature header; null sends none. */
  header?: string | null;
}

/** Posts a body to the webhook as Stripe does and returns the status. */
export function postEvent(
  { webhook, fake }: StripeShop,
  body: object | string,
  { secret = fake.webhookSecret, timestamp, header }: Posting = {},
): Promise<number> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return post(webhook, payload, header === undefined ? sign(payload, secret, timestamp) : header);
}
