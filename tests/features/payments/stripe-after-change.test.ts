/** An order whose plan was changed at Stripe is still told by its first payment. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { linkOf } from '../../support/own-page.ts';
import { order, rowOf, seenByStaff, sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();

/** Professional with 20 users and backup, paid, and then two users more. */
async function changedOrder() {
  const { fake, app } = shop;
  fake.autoDeliver({ url: shop.webhook, secret: fake.webhookSecret });
  const started = await order(shop);
  fake.confirmCard(started.clientSecret, '4242424242424242');
  await expect.poll(async () => (await rowOf(shop, started.orderId)).status).toBe('paid');
  const { token } = await linkOf(app, started.orderId);
  const ask = async (what: string, body: object = {}) => {
    const { status, json } = await started.visitor.post(`/api/order-page/${what}`, {
      token,
      ...body,
    });
    expect([what, status, json.message]).toEqual([what, 200, undefined]);
    return json;
  };
  const seats = { users: 22, backup: true, from: { users: 20, backup: true } };
  const { at } = await ask('preview', seats);
  await ask('change', { ...seats, at, key: randomUUID() });
  expect(await rowOf(shop, started.orderId)).toMatchObject({
    amountCents: 123_390,
    dueCents: 123_390,
    firstDueCents: 119_900,
  });
  return { id: started.orderId, ask, seats };
}

const remarks = async (id: number) =>
  (await seenByStaff(shop, id)).notes.map(({ note }: { note: string }) => note);

test('the answer to a cancellation says when it ends, and to its taking back that it goes on', async () => {
  const { id, ask } = await changedOrder();
  const { order: canceled, running } = await ask('cancel');
  expect(canceled.endsAt).toBe(running.periodEnd);
  expect((await ask('keep')).order.endsAt).toBeNull();
  expect(await remarks(id)).not.toContainEqual(expect.stringContaining('the order for'));
});

test('a second change leaves what the first payment was', async () => {
  const { id, ask } = await changedOrder();
  const seats = { users: 5, backup: false, from: { users: 22, backup: true } };
  const { at } = await ask('preview', seats);
  await ask('change', { ...seats, at, key: randomUUID() });
  expect(await rowOf(shop, id)).toMatchObject({ amountCents: 91_250, firstDueCents: 119_900 });
  expect((await ask('cancel')).order.endsAt).not.toBeNull();
});

test('what staff give back of the first payment is known at once', async () => {
  const { id } = await changedOrder();
  const { json } = await shop.staff.post(`/api/admin/orders/${id}/refund`, { amount: null });
  expect(json).toMatchObject({ status: 'refunded', refunded: 1199 });
});
