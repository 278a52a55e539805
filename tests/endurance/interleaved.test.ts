/**
 * Two customers pay one quote and change their plans while staff withdraw, end, set and refund,
 * orders expire, events come late, twice and out of order, and answers are lost: money taken
 * matches what runs, what is stored, and what people read.
 */

import { expect, test } from 'vitest';
import { NOTIFICATION_KINDS } from '../../src/app.server.ts';
import { expireOrders } from '../../src/billing/abandon-order.server.ts';
import type { Gateway } from '../../src/billing/gateway.server.ts';
import { getOrder } from '../../src/billing/order-store.server.ts';
import { PaymentChecks } from '../../src/billing/refresh-order.server.ts';
import type { Notify } from '../../src/notifications/notification.server.ts';
import { addDeliveries } from '../../src/notifications/outbox-store.server.ts';
import { testGateway } from '../../src/payments/test-gateway/test-gateway.server.ts';
import { booksDisagree } from '../support/books.ts';
import type { FakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { ownContent } from '../support/own-content.ts';
import { ownPage, shownPrice } from '../support/own-page.ts';
import { orderByQuote, QUOTE } from '../support/quote-site.ts';
import { openSubscriptions } from '../support/running-subscription.ts';
import { quoteByStaff } from '../support/staff-quote.ts';
import { sharedShop, WITH_MAIL } from '../support/stripe-shop.ts';
import { sharedTestApp, type TestApp } from '../support/test-app.ts';
import type { Visitor } from '../support/visitor.ts';
import { type Random, seededRandom } from './seeded-random.ts';
import { sized } from './sized.ts';

const ROUNDS = sized(6, 1000);
const DAY_MS = 24 * 60 * 60 * 1000;

const TO_CUSTOMERS = {
  configured: ['mail-customer'],
  hours: ownContent().company.hours,
} as const;

const shop = sharedShop(WITH_MAIL);
const app = sharedTestApp(WITH_MAIL);

interface Setup {
  app: TestApp;
  gateway(notify: Notify): Gateway;
  confirm(clientSecret: string): Promise<void>;
}

interface Payer {
  orderId: number;
  clientSecret: string;
  visitor: Visitor;
}

/** Runs all actions at once in a random order. Returns the ids of the orders placed. */
async function interleave({ app, gateway, confirm }: Setup, random: Random) {
  const staff = await app.staff();
  const terms = { ...QUOTE, discount: null, days: 30, send: false };
  const { path: quote, token } = await quoteByStaff(staff, terms);
  const payers: Payer[] = [];
  const pause = () => new Promise((resolve) => setTimeout(resolve, random(30)));
  const pay = async (name: string) => {
    const email = `${name}-${random(1e9)}@example.com`;
    const body = orderByQuote(token, { name, email });
    const visitor = app.visitor();
    const { status, json } = await visitor.post('/api/create-payment-intent', body);
    if (status !== 200) return;
    payers.push({ ...json, visitor });
    await pause();
    if (random(10) < 8) await confirm(json.clientSecret);
    const path = `/api/orders/${json.orderId}/update-status`;
    if (random(2) < 1) await visitor.post(path, { status: 'processing' });
  };
  /** Decides on an order as it is shown now, and acts on it a little later. */
  const decide = async (act: (orderId: number, version: number) => Promise<unknown>) => {
    const payer = payers[random(payers.length + 1)];
    if (!payer) return;
    const { version } = await getOrder(app.database.db, { id: payer.orderId });
    await pause();
    await act(payer.orderId, version);
  };
  const byStaff = (path: string, body: object) => () =>
    decide((id, version) => staff.post(path.replace(':id', String(id)), { ...body, version }));
  const byCustomer = (what: string) => () =>
    decide(async (id, version) => {
      const { visitor } = payers.find(({ orderId }) => orderId === id) ?? {};
      if (!visitor) return;
      const { ask } = await ownPage(app, id, visitor);
      if (what !== 'change') return ask(what, { version });
      const seats = { users: 11, backup: true, from: { users: 10, backup: true } };
      const { json } = await ask('preview', seats);
      return json.next && ask('change', { ...seats, ...shownPrice(json), version });
    });
  const expire = async () => {
    const { db } = app.database;
    const createdAt = Date.now() - DAY_MS - 1;
    const ids = payers.map(({ orderId }) => orderId);
    if (ids.length > 0)
      await db.updateTable('orders').set({ createdAt }).where('id', 'in', ids).execute();
    const notify: Notify = async (trx, { kind: name }, subjectId, eventId) => {
      const kind = NOTIFICATION_KINDS.find((listed) => listed.kind === name);
      if (kind) await addDeliveries(trx, { kind, subjectId, eventId, ...TO_CUSTOMERS });
    };
    const paymentChecks = new PaymentChecks();
    await expireOrders({ db, notify, paymentChecks, gateway: gateway(notify) }, () => false);
  };
  const actions = [
    () => pay('first'),
    () => pay('second'),
    ...[
      byStaff('/api/admin/orders/:id/cancel', { when: 'now' }),
      byStaff('/api/orders/:id/update-status', { status: 'canceled' }),
      byStaff('/api/admin/orders/:id/refund', { amount: 10 }),
      byStaff('/api/admin/orders/:id/refund', { amount: null }),
      byCustomer('change'),
      byCustomer('cancel'),
      expire,
      () => staff.post(`${quote}/withdraw`, {}),
      () => staff.post(quote, terms),
    ].filter(() => random(10) < 4),
  ];
  await Promise.all(
    actions.map(async (act) => {
      await pause();
      await act();
    }),
  );
  return payers.map(({ orderId }) => orderId);
}

async function expectAgreement({ app }: Setup, round: number, ids: number[], fake?: FakeStripe) {
  if (ids.length === 0) return;
  const { db } = app.database;
  expect([round, await booksDisagree(db, { fake, ids })]).toEqual([round, []]);
  const orders = db.selectFrom('orders').select('status').where('id', 'in', ids);
  const running = (await orders.execute()).filter(({ status }) => status === 'paid');
  expect(running.length, `round ${round}`).toBeLessThan(2);
}

test('with Stripe, each charged card has a subscription and a receipt, and no other order has', async () => {
  const { fake } = shop;
  fake.autoDeliver(shop.webhook);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const random = seededRandom(round);
    const setup: Setup = {
      app: shop.app,
      gateway: () => openSubscriptions(shop).gateway,
      confirm: async (secret) => void fake.confirmCard(secret, '4242424242424242'),
    };
    const before = fake.events.length;
    fake.autoDeliver(null);
    let late: string | undefined;
    // Confirms a card between two of the site's own requests.
    fake.beforeRequests((path) => {
      const secrets = [...fake.state.payment_intent.values()].map(
        ({ client_secret }) => client_secret,
      );
      const secret = secrets.at(-1);
      if (secret && secret !== late && path.startsWith('/v1/invoices') && random(10) < 3) {
        late = secret;
        fake.confirmCard(secret, '4242424242424242');
      }
      // An answer that is lost; the library tries it again.
      if (random(10) < 1) fake.failNext({ how: 'reset-after-execution' });
    });
    const inAnyOrder = () => fake.events.slice(before).sort(() => random(2) - 0.5);
    const deliver = () => fake.deliver(inAnyOrder(), { to: shop.webhook });
    const [placed] = await Promise.all([
      interleave(setup, random),
      new Promise((resolve) => setTimeout(resolve, random(60))).then(deliver),
    ]);
    fake.beforeRequests(null);
    fake.clearFaults();
    await deliver();
    await deliver();
    await expectAgreement(setup, round, placed, fake);
  }
}, 3_600_000);

test('with the test gateway, each payment has a subscription and a receipt, and no other order has', async () => {
  const { db } = app.database;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const setup: Setup = {
      app,
      gateway: (notify) => testGateway({ db, notify, company: ownContent().company }),
      confirm: async (clientSecret) =>
        void (await app
          .visitor()
          .post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' })),
    };
    await expectAgreement(setup, round, await interleave(setup, seededRandom(round)));
  }
}, 3_600_000);
