/** Whose an order is at Stripe. */
import { expect, test } from 'vitest';
import { clientOf, newOrders } from '../../../tests/support/order-at-stripe.ts';
import { rowOf, sharedShop } from '../../../tests/support/stripe-shop.ts';
import type { NewRow } from '../../platform/database/tables.server.ts';
import { customerFor } from './stripe-subscription.server.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);

/** What is sent to Stripe about an order's customer, and the order as it is remembered. */
async function customerOf(change: Partial<NewRow<'orders'>>) {
  const row = await newOrder({ name: 'Pat', email: 'pat@example.com', phone: null, ...change });
  const before = shop.fake.requests.length;
  const id = await customerFor({ stripe: clientOf(shop), db: shop.app.database.db }, row);
  const sent = shop.fake.requests.slice(before);
  return {
    id,
    row,
    sent: sent.map(({ path, params }) => [path, params]),
    kept: await rowOf(shop, row.id),
    keys: sent.map(({ idempotencyKey }) => idempotencyKey),
  };
}

test('a new buyer becomes a customer, under a key of the order and its attempt', async () => {
  const { id, row, sent, kept, keys } = await customerOf({ phone: '770 555 0100', attempt: 3 });
  expect(sent).toEqual([
    ['/v1/customers', { name: 'Pat', email: 'pat@example.com', phone: '770 555 0100' }],
  ]);
  expect(keys).toEqual([`order-${row.id}-${row.createdAt}-customer-3`]);
  expect(kept).toEqual({ ...row, customerId: id });
  expect(id).toMatch(/^cus_/);
});

test('a ZIP code is where the buyer lives', async () => {
  const { sent } = await customerOf({ postalCode: '30060' });
  expect(sent).toEqual([
    [
      '/v1/customers',
      {
        name: 'Pat',
        email: 'pat@example.com',
        address: { country: 'US', postal_code: '30060' },
      },
    ],
  ]);
});

test('a phone number that is longer than Stripe takes is left out', async () => {
  const phone = '7'.repeat(20);
  expect((await customerOf({ phone })).sent).toMatchObject([['/v1/customers', { phone }]]);
  const { sent } = await customerOf({ phone: `${phone}7` });
  expect(sent).toEqual([['/v1/customers', { name: 'Pat', email: 'pat@example.com' }]]);
});

test('a known customer stays, and may move', async () => {
  const { id } = await customerOf({});
  const stayed = await customerOf({ customerId: id });
  expect(stayed).toMatchObject({ id, sent: [] });
  expect(stayed.kept).toEqual(stayed.row);
  const moved = await customerOf({ customerId: id, postalCode: '30301' });
  expect(moved.id).toBe(id);
  expect(moved.kept).toEqual(moved.row);
  expect(moved.sent).toEqual([
    [`/v1/customers/${id}`, { address: { country: 'US', postal_code: '30301' } }],
  ]);
});
