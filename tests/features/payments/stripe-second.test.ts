/** The same plan twice for one address is asked about where it was bought, and told to nobody else. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { order, type Started, seenByStaff, sharedShop, submit } from '../../support/stripe-shop.ts';
import type { Answered } from '../../support/visitor.ts';

const shop = sharedShop();

const GOOD = '4242424242424242';
const newAddress = () => `${randomUUID()}@example.com`;

/** The buyer comes back from paying. */
const comeBack = ({ visitor, orderId }: Started) =>
  visitor.post(`/api/orders/${orderId}/update-status`, { status: 'processing' });

async function paidOrder(email: string): Promise<Started> {
  const placed = await order(shop, { email });
  shop.fake.confirmCard(placed.clientSecret, GOOD);
  expect((await comeBack(placed)).json.status).toBe('paid');
  return placed;
}

const notes = async (orderId: number): Promise<string[]> =>
  (await seenByStaff(shop, orderId)).notes.map(({ note }: { note: string }) => note);

function expectWarning({ status, json }: Answered): void {
  const message =
    'A subscription of the Professional plan is already running for this email address. Nothing has been charged. To change it, please email or call us. To buy a second one, confirm it below.';
  expect([status, json]).toEqual([409, { message, errors: [{ path: 'another', message }] }]);
}

describe('the browser that bought the plan', () => {
  test('is asked, in whatever spelling of the address, before anything is made', async () => {
    const email = newAddress();
    const { visitor } = await paidOrder(email);
    const before = shop.fake.subscriptionCount();
    expectWarning(await submit(visitor, { email: email.toUpperCase() }));
    expect(shop.fake.subscriptionCount()).toBe(before);
  });

  test('may want it twice, or another plan', async () => {
    const email = newAddress();
    const first = await paidOrder(email);
    const other = await submit(first.visitor, { email, planId: 1, amount: 799 });
    expect(other.status).toBe(200);
    expect(await notes(other.json.orderId)).toEqual([]);
    const meant = await submit(first.visitor, { email, another: true });
    expect(meant.status).toBe(200);
    expect(await notes(meant.json.orderId)).toEqual([
      'The buyer wants this beside a subscription that is running',
    ]);
  });

  test('is asked when it has paid and nobody has told of it yet', async () => {
    const email = newAddress();
    const first = await order(shop, { email });
    shop.fake.confirmCard(first.clientSecret, GOOD);
    expect((await seenByStaff(shop, first.orderId)).status).toBe('pending');
    expectWarning(await submit(first.visitor, { email }));
    expect((await seenByStaff(shop, first.orderId)).status).toBe('paid');
  });

  test('is not asked when it has not paid, nor after the end', async () => {
    const email = newAddress();
    const first = await order(shop, { email });
    shop.fake.confirmCard(first.clientSecret, '4000000000000002');
    expect((await submit(first.visitor, { email })).status).toBe(200);
    const ended = await paidOrder(newAddress());
    const { email: endedEmail } = await seenByStaff(shop, ended.orderId);
    await shop.staff.post(`/api/admin/orders/${ended.orderId}/cancel`, { when: 'now' });
    expect((await submit(ended.visitor, { email: endedEmail })).status).toBe(200);
  });
});

describe('any other browser', () => {
  test('learns nothing of a running plan, and staff are told once both are paid', async () => {
    const email = newAddress();
    const first = await paidOrder(email);
    const stranger = shop.app.visitor();
    const known = await submit(stranger, { email });
    const unknown = await submit(shop.app.visitor(), { email: newAddress() });
    expect(known.status).toBe(200);
    expect(Object.keys(known.json)).toEqual(Object.keys(unknown.json));
    const { orderId, clientSecret } = known.json;
    expect(await notes(orderId)).toEqual([]);
    shop.fake.confirmCard(clientSecret, GOOD);
    await comeBack({ visitor: stranger, orderId, clientSecret });
    expect(await notes(orderId)).toEqual([
      `The same plan is running for this address already (O-${first.orderId}): is a second one wanted?`,
    ]);
    expect(await notes(first.orderId)).toEqual([]);
  });
});
