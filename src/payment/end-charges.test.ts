/** What is over is charged no more; what cannot be ended by asking, staff are told to end. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { readNotes } from '../checkout/order-billing-store.server.ts';
import { orderBook } from '../checkout/order-book.server.ts';
import { endCharges } from './end-charges.server.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

test.each([
  ['done', []],
  ['away', []],
  [{ refused: 'No such subscription' }, ['No such subscription']],
] as const)('an order whose end is answered with %j', async (outcome, reasons) => {
  const { db } = app.database;
  const over = { status: 'canceled', live: 1 } as const;
  const orders = [
    await savedOrder(db, { ...over, subscriptionId: 'sub_1' }),
    await savedOrder(db, { ...over, subscriptionId: 'sub_2' }),
  ];
  const gateway = { ...standInGateway(), live: true };
  gateway.cancel.mockResolvedValue(outcome);
  const ground = { gateway, book: orderBook(db, vi.fn()) };
  await endCharges(ground);
  expect(gateway.cancel.mock.calls).toEqual(orders.map((order) => [order, 'now']));
  const notes = reasons.map((why) => `The subscription must be ended at Stripe by hand: ${why}`);
  await endCharges(ground, orders[1]?.id);
  expect(gateway.cancel.mock.calls.at(-1)).toEqual([orders[1], 'now']);
  expect(gateway.cancel).toHaveBeenCalledTimes(3);
  for (const { id } of orders) {
    expect((await readNotes(db, id)).map(({ note }) => note)).toEqual(notes);
  }
});
