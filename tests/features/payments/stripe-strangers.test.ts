/** An order with another's address changes nothing of their customer at Stripe. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { Mailbox } from '../../support/mailbox.ts';
import { giveAddress, ownPage } from '../../support/own-page.ts';
import {
  openShop,
  order,
  paidOrder,
  rowOf,
  type Started,
  sharedShop,
  submit,
} from '../../support/stripe-shop.ts';

const STRANGER = {
  name: 'Mallory Stranger',
  phone: '404 555 0199',
  planId: 1,
  ms365Option: 'e3',
  ms365Users: 3,
  amount: 450 + 3 * 36 + 3 * 4.95,
};

const shop = sharedShop({ STRIPE_TAX: 'on' }, { taxPercent: 8 });
beforeAll(() => shop.fake.autoDeliver(shop.webhook));

async function customer(): Promise<Started & { email: string; customerId: string }> {
  const email = `${randomUUID()}@example.com`;
  const placed = await paidOrder(shop, { email, postalCode: '30060' });
  const {
    status,
    subscription: { customerId },
  } = await rowOf(shop, placed.orderId);
  expect(status).toBe('paid');
  return { ...placed, email, customerId: customerId ?? '' };
}

/** All objects at Stripe, by id. */
const everything = () =>
  Object.values(shop.fake.state).flatMap((table) =>
    [...table].map(([id, row]) => [id, JSON.stringify(row)] as const),
  );

test('a stranger’s unpaid order with a customer’s address changes no existing object at Stripe', async () => {
  const { email, customerId } = await customer();
  const before = new Map(everything());
  const requests = shop.fake.requests.length;
  const stranger = shop.app.visitor();
  const placed = await submit(stranger, { ...STRANGER, email, postalCode: '99501' });
  expect(placed.status).toBe(200);
  shop.fake.confirmCard(placed.json.clientSecret, '4000000000000002');
  await shop.fake.settled();
  const path = `/api/orders/${placed.json.orderId}/update-status`;
  expect((await stranger.post(path, { status: 'processing' })).json.status).toBe('failed');
  const cancel = `/api/admin/orders/${placed.json.orderId}/cancel`;
  await shop.staff.move().post(cancel, { when: 'now' });
  const after = new Map(everything());
  expect([...before].filter(([id, row]) => after.get(id) !== row)).toEqual([]);
  const sent = shop.fake.requests.slice(requests).map(({ path, raw }) => `${path}?${raw}`);
  expect(sent.filter((each) => each.includes(customerId))).toEqual([]);
});

test('a stranger’s paid order with a customer’s address gets its own customer at Stripe', async () => {
  const { email, customerId } = await customer();
  const placed = await paidOrder(shop, { ...STRANGER, email, postalCode: '99501' });
  const own = shop.fake.state.customer.get(
    (await rowOf(shop, placed.orderId)).subscription.customerId ?? '',
  );
  expect(own).toMatchObject({ email, name: STRANGER.name, phone: STRANGER.phone });
  expect(own?.id).not.toBe(customerId);
  expect(own?.address?.postal_code).toBe('99501');
});

test('whose address a stranger types into an order gets no email, though the order gets another one unpaid', async () => {
  const mailbox = await Mailbox.start();
  const live = await openShop(mailbox.variables, { live: true });
  const typed = { email: 'former@example.com', name: 'A1', company: 'Your Payment Is Overdue' };
  const { orderId, visitor } = await order(live, typed);
  await giveAddress(await ownPage(live.app, orderId, visitor), mailbox, 'own@example.com');
  const mails = live.app.database.db.selectFrom('outbox').where('channel', '=', 'mail-customer');
  expect(await mails.select('kind').execute()).toEqual([{ kind: 'email-to-confirm' }]);
  await live.close();
  await mailbox.stop();
});
