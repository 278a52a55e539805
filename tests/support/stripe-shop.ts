/** The real site in Stripe mode, aimed at the stand-in for Stripe, and the steps of a purchase. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import type { StripeEnv } from '../../src/platform/config/env.server.ts';
import type { Row, Tables } from '../../src/platform/database/tables.server.ts';
import { type StandInEvent, sign } from './fake-stripe/events.ts';
import { type FakeStripe, startFakeStripe } from './fake-stripe/fake-stripe.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import type { Answered, Visitor } from './visitor.ts';

export interface StripeShop {
  fake: FakeStripe;
  app: TestApp;
  /** Where events are delivered. */
  webhook: string;
  /** One colleague for the whole test. */
  staff: Visitor;
  /** Stops the site and starts it again over the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

type FakeOptions = Parameters<typeof startFakeStripe>[0];

export function openShop(
  variables: Record<string, string> = {},
  options: FakeOptions = {},
): Promise<StripeShop> {
  return openAs({} as StripeShop, variables, options);
}

/** A shop that is open while the tests of a file, or of a `describe`, run. */
export function sharedShop(...[variables, options]: Parameters<typeof openShop>): StripeShop {
  const shop = {} as StripeShop;
  beforeAll(async () => {
    await openAs(shop, variables, options);
  });
  afterAll(() => shop.close());
  return shop;
}

async function openAs(
  shop: StripeShop,
  variables: Record<string, string> = {},
  options: FakeOptions = {},
): Promise<StripeShop> {
  const fake = await startFakeStripe(options);
  const open = async (app: TestApp) => {
    const webhook = `${app.address}/api/stripe/webhook`;
    Object.assign(shop, { app, webhook, staff: await app.staff() });
  };
  await open(await startTestApp({ ...stripeVariables(fake), ...variables }));
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

/** The same, as the site reads it. */
export function stripeEnv(fake: FakeStripe, change: Partial<StripeEnv> = {}): StripeEnv {
  return {
    secretKey: fake.secretKey,
    publishableKey: fake.publishableKey,
    live: false,
    webhookSecret: fake.webhookSecret,
    apiUrl: fake.url,
    tax: false,
    ...change,
  };
}

/** Professional with 20 Business Standard users and backup: three lines, 850 + 250 + 99 dollars. */
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

/** The id of the payment at Stripe, which its secret begins with. */
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

/** What a well-behaved client does when the server says that it is too busy, or the connection breaks. */
export async function insist(
  visitor: () => Visitor,
  change: Partial<typeof PURCHASE>,
  key: string,
): Promise<Answered> {
  for (;;) {
    // Each try comes from an address of its own, or the limit on orders would be met.
    const answered = await submit(visitor(), change, key).catch(() => undefined);
    if (answered && answered.status !== 503) return answered;
    await pause(100);
  }
}

/** Places an order, each by a buyer of its own unless an address is given. */
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

/** Places an order and pays it; where events are delivered by themselves, the site has heard of it. */
export async function paidOrder(
  shop: StripeShop,
  change: Parameters<typeof order>[1] = {},
): Promise<Started> {
  const placed = await order(shop, change);
  shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
  await shop.fake.settled();
  return placed;
}

/** The order as the database has it. */
export function rowOf({ app }: StripeShop, orderId: number): Promise<Row<'orders'>> {
  return app.database.db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}

export async function subscriptionOf(shop: StripeShop, { orderId }: Started): Promise<string> {
  return (await rowOf(shop, orderId)).subscriptionId ?? '';
}

/** The order as staff see it, with its history. */
export async function seenByStaff(shop: StripeShop, orderId: number): Promise<Answered['json']> {
  return (await shop.staff.move().get(`/api/orders/${orderId}`)).json;
}

/** Mail is configured, so that notifications are stored; nobody listens at the address. */
export const WITH_MAIL = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'shop@example.com',
  MAIL_TO: 'staff@example.com',
};

/** Until the order has the status; the reconciliation at start runs beside the first requests. */
export async function becomes(
  shop: StripeShop,
  { orderId }: Started,
  status: string,
): Promise<void> {
  await expect.poll(async () => (await seenByStaff(shop, orderId)).status).toBe(status);
}

/** Each status that the order has had. */
export async function statusesOf(shop: StripeShop, { orderId }: Started): Promise<string[]> {
  const { history } = await seenByStaff(shop, orderId);
  return history.map(({ status }: { status: string }) => status);
}

/** How many receipts the customer of an order will get. */
export function receiptsFor({ app }: StripeShop, orderId: number): Promise<number> {
  return receiptsIn(app.database.db, orderId);
}

export async function receiptsIn(db: Kysely<Tables>, orderId: number): Promise<number> {
  const emails = await db
    .selectFrom('outbox')
    .select('id')
    .where('channel', '=', 'mail-customer')
    .where('kind', '=', 'order-paid')
    .where('subjectId', '=', orderId)
    .execute();
  return emails.length;
}

/** What happens at Stripe while `act` runs; nothing of it is delivered. */
export async function eventsDuring(
  { fake }: StripeShop,
  act: () => unknown,
): Promise<StandInEvent[]> {
  const before = fake.events.length;
  await act();
  return fake.events.slice(before);
}

/** How many events wait until Stripe can be asked about them. */
export async function eventsWaiting({ app }: StripeShop): Promise<number> {
  const { db } = app.database;
  const waiting = await db
    .selectFrom('stripeEvents')
    .select('id')
    .where('settled', '=', 0)
    .execute();
  return waiting.length;
}

interface Posting {
  secret?: string;
  /** Unix seconds at which the signature claims to have been made. */
  timestamp?: number;
  /** Replaces the whole header; null sends none. */
  header?: string | null;
}

/** Posts a body to the webhook as Stripe does, signed unless told otherwise. */
export async function postEvent(
  { webhook, fake }: StripeShop,
  body: object | string,
  { secret = fake.webhookSecret, timestamp, header }: Posting = {},
): Promise<number> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const signature = header === undefined ? sign(payload, secret, timestamp) : header;
  const { status } = await fetch(webhook, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(signature === null ? {} : { 'Stripe-Signature': signature }),
    },
    body: payload,
  });
  return status;
}
