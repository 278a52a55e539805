/** A quote is paid at Stripe at its own prices and by one subscription only. */
import { beforeAll, describe, expect, test } from 'vitest';
import { quoteByStaff } from '../../support/staff-quote.ts';
import { PURCHASE, sharedShop, submit } from '../../support/stripe-shop.ts';

const shop = sharedShop();
/** 850 minus 10%, plus 20 × 12.50 and 20 × 4.95. */
const AMOUNT = 1114;

let quote: Awaited<ReturnType<typeof quoteByStaff>>;
beforeAll(async () => {
  quote = await quoteByStaff(shop.staff, {
    discount: { kind: 'percent', value: 10, reason: 'Two stores' },
  });
});

const begin = (email: string, amount = AMOUNT, { token } = quote) =>
  submit(shop.app.visitor(), { email, amount, quote: token });
const statusOf = async (id: number) => (await shop.staff.get(`/api/orders/${id}`)).json.status;
const subscriptions = () => [...shop.fake.state.subscription.values()];

test('a refused order does not end another customer’s pending one', async () => {
  const first = await begin('one@example.com');
  expect((await begin('three@example.com', 1)).status).toBe(409);
  expect(await statusOf(first.json.orderId)).toBe('pending');
});

test('a second customer who pays the quote ends the first one’s unpaid subscription, and only one is charged', async () => {
  const first = await begin('one@example.com');
  const second = await begin('two@example.com');
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await statusOf(first.json.orderId)).toBe('canceled');
  shop.fake.confirmCard(second.json.clientSecret, '4242424242424242');
  // The payment has succeeded but no event has arrived yet, and a third customer tries.
  const third = await begin('three@example.com');
  expect([third.status, third.json.message]).toEqual([
    409,
    expect.stringContaining('been accepted'),
  ]);
  expect(await statusOf(second.json.orderId)).toBe('paid');
  const running = subscriptions().filter(({ status }) => status === 'active');
  expect(running).toHaveLength(1);
  const amounts = running[0]?.items.data.map(
    ({ price, quantity }: { price: { unit_amount: number | null }; quantity: number }) =>
      (price.unit_amount ?? 0) * quantity,
  );
  expect(amounts).toEqual([76_500, 25_000, 9_900]);
  expect((await shop.staff.get(quote.path)).json).toMatchObject({
    state: 'accepted',
    orderId: second.json.orderId,
  });
});

test('a customer whose card is charged while a second one takes the quote keeps it, and the second is not charged', async () => {
  const undiscounted = await quoteByStaff(shop.staff);
  const pay = (email: string) => begin(email, PURCHASE.amount, undiscounted);
  const first = await pay('one@example.com');
  shop.fake.beforeRequests((path) => {
    if (path.endsWith('/void')) shop.fake.confirmCard(first.json.clientSecret, '4242424242424242');
  });
  const second = await pay('two@example.com');
  shop.fake.beforeRequests(null);
  expect([second.status, second.json.message]).toEqual([
    409,
    expect.stringContaining('been accepted'),
  ]);
  expect(await statusOf(first.json.orderId)).toBe('paid');
});

describe('with the live keys', () => {
  const live = sharedShop({}, { live: true });

  test('a quote whose payment was begun with the test keys can be paid, and ends that one', async () => {
    const { token } = await quoteByStaff(live.staff);
    const pay = () => submit(live.app.visitor(), { quote: token });
    const { orderId } = (await pay()).json;
    // The live keys do not find what the test keys have made.
    await live.app.database.db
      .updateTable('subscriptions')
      .set({ live: 0, customerId: 'cus_test', subscriptionId: 'sub_test', paymentId: 'pi_test' })
      .where('orderId', '=', orderId)
      .execute();
    expect((await pay()).status).toBe(200);
    expect((await live.staff.get(`/api/orders/${orderId}`)).json.status).toBe('canceled');
  });
});
