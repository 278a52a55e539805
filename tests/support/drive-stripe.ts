/** What calls do where Stripe takes the payments: bought twice, paid, renewed, heard of, refunded. */
import { randomUUID } from 'node:crypto';
import { SAMPLE_ORDER } from './call-row.ts';
import { busyAs, type Driven, driveOrderLink, driving } from './drive-calls.ts';
import type { Listening } from './executed-statements.ts';
import { fillTables } from './filled-tables.ts';
import { rowOf, type StripeShop } from './stripe-shop.ts';
import type { Answered } from './visitor.ts';

export async function driveStripe(
  shop: StripeShop,
  rows: number,
  listening: Listening,
): Promise<Driven> {
  const { app, fake } = shop;
  const { drive, driven } = driving(app, listening);
  const owner = app.visitor();
  const buy = (how: string, more: object = {}) => {
    const key = { 'Idempotency-Key': randomUUID() };
    const path = '/api/create-payment-intent';
    const body = { ...SAMPLE_ORDER, ...more };
    return drive(`POST ${path} ${how}`, () => owner.move().post(path, body, key));
  };
  const { json: placed } = await buy('first');
  await listening.aside((db) => fillTables(db, rows, busyAs(owner, 'stripe')));
  const told = new Set(fake.events);
  /** Each type of event once, for they differ in what they lead to. */
  const hear = async (about: string) => {
    const news = fake.events.filter((event) => !told.has(event));
    for (const event of new Map(news.map((each) => [each.type, each])).values())
      await drive(`POST /api/stripe/webhook ${about} ${event.type}`, async () => {
        const [delivery] = await fake.deliver([event], { to: shop.webhook });
        return { status: delivery?.status ?? 599 } as Answered;
      });
    for (const event of news) told.add(event);
  };
  fake.confirmCard(placed.clientSecret, '4242424242424242');
  const back = { status: 'processing', paymentId: null };
  const order = `/api/orders/${placed.orderId}`;
  const update = 'POST /api/orders/:id/update-status';
  await drive(update, () => owner.move().post(`${order}/update-status`, back));
  await hear('paid');
  await buy('again, which is refused');
  const second = (await buy('another', { another: true })).json;
  fake.confirmCard(second.clientSecret, '4242424242424242');
  await hear('second');
  const { subscriptionId } = await listening.aside(() => rowOf(shop, placed.orderId));
  for (let month = 0; month < rows; month += 1) fake.renew(subscriptionId ?? '', { pay: true });
  await hear('renewed');
  await driveOrderLink(app, { owner, orderId: placed.orderId }, drive);
  for (const amount of [10, null]) {
    const path = `/api/admin/orders/${placed.orderId}/refund`;
    const refund = `POST /api/admin/orders/:id/refund ${amount}`;
    await drive(refund, () => shop.staff.move().post(path, { amount }));
  }
  await hear('refunded');
  const path = `/api/admin/orders/${second.orderId}/cancel`;
  await drive('POST /api/admin/orders/:id/cancel', () =>
    shop.staff.move().post(path, { when: 'now' }),
  );
  await hear('canceled');
  return driven;
}
