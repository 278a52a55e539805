/** What staff do with an order, whatever the payment provider answers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askCall } from '../../tests/support/ask-call.ts';
import { bill, billed } from '../../tests/support/payment-facts.ts';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { NOTHING_TRIED, standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { PaymentState } from './gateway.server.ts';
import type { OrderStatus } from './order.ts';
import { type Order, orderNow } from './order-store.server.ts';
import { staffOrderCalls } from './staff-orders.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

let gateway: ReturnType<typeof standInGateway>;
beforeEach(() => {
  gateway = standInGateway();
});

const notify = async () => undefined;
const publicUrl = 'https://shop.example';
const saved = (status: OrderStatus, change = {}) =>
  savedOrder(app.database.db, { status, subscriptionId: randomUUID(), ...change });

function act(what: 'refund' | 'cancel', id: number | string, body: object) {
  const calls = staffOrderCalls({ db: app.database.db, gateway, notify, publicUrl });
  return askCall(calls, `POST /api/admin/orders/:id/${what}`, { id, body, staff: true });
}
const refund = ({ id }: Order, amount: number | null = null) => act('refund', id, { amount });
const cancel = ({ id }: Order, when: 'now' | 'period-end' = 'now') => act('cancel', id, { when });
const notes = ({ json }: Awaited<ReturnType<typeof act>>) =>
  json.notes.map(({ note }: { note: string }) => note);
/** What the provider says of the order when it is looked at. */
const says = (state: Partial<PaymentState>) =>
  gateway.fetchPaymentState.mockImplementation(async () => ({ ...NOTHING_TRIED, ...state }));

describe('what cannot be done is refused in words', () => {
  test('with an order that does not exist', async () => {
    await saved('paid');
    for (const id of [999_999, 'x']) {
      expect(await act('cancel', id, { when: 'now' })).toMatchObject({
        status: 404,
        json: { message: 'This order does not exist' },
      });
    }
  });

  test.each([
    ['refund', 'pending'],
    ['refund', 'refunded'],
    ['cancel', 'canceled'],
  ] as const)('a %s of an order that is %s', async (what, status) => {
    const { id } = await saved(status);
    const message = `This cannot be done with an order that is ${status}`;
    const body = what === 'refund' ? { amount: null } : { when: 'now' };
    expect(await act(what, id, body)).toMatchObject({ status: 409, json: { message } });
    expect([gateway.refund.mock.calls, gateway.cancel.mock.calls]).toEqual([[], []]);
  });

  test('with an order of another payment provider', async () => {
    const message = 'The order was placed with another payment provider (test)';
    const answered = await cancel(await saved('paid', { provider: 'test' }));
    expect(answered).toMatchObject({ status: 409, json: { message } });
  });

  test('when the provider refuses, or does not answer; and nothing has changed', async () => {
    const order = await saved('paid');
    gateway.refund.mockResolvedValueOnce({ refused: 'It is too late' });
    const refused = { status: 409, json: { message: 'It is too late' } };
    expect(await refund(order)).toMatchObject(refused);
    gateway.cancel.mockResolvedValueOnce({ refused: 'It is too late' });
    expect(await cancel(order)).toMatchObject(refused);
    gateway.refund.mockResolvedValueOnce('unavailable');
    expect((await refund(order)).status).toBe(503);
    gateway.cancel.mockResolvedValueOnce('unavailable');
    expect((await cancel(order)).status).toBe(503);
    expect(gateway.fetchPaymentState).not.toHaveBeenCalled();
    expect(await orderNow(app.database.db, order)).toEqual(order);
  });
});

describe('a refund by staff', () => {
  test('counts at once, although the provider does not tell of it yet', async () => {
    const order = await saved('paid');
    says(billed(bill(0)));
    const answered = await refund(order, 50);
    expect(answered).toMatchObject({
      status: 200,
      json: { status: 'paid', refunded: 50, providerPage: `https://provider/${order.id}` },
    });
    expect(notes(answered)).toEqual([
      '$50.00 given back by admin',
      '$50.00 refunded in all ($50.00 given back by admin)',
    ]);
    expect(gateway.refund).toHaveBeenCalledWith(order, 50_00, '0');
    expect(gateway.cancel).not.toHaveBeenCalled();
  });

  test('of everything ends what would be charged in future', async () => {
    const order = await saved('paid');
    says(billed(bill(0)));
    const answered = await refund(order);
    expect(answered.json).toMatchObject({ status: 'refunded', refunded: 450 });
    expect(notes(answered)[0]).toBe('All that was left given back by admin');
    expect(gateway.refund).toHaveBeenCalledWith(order, undefined, '0');
    const after = await orderNow(app.database.db, order);
    expect(gateway.cancel.mock.calls).toEqual([[after, 'now']]);
  });

  test.each([
    ['unavailable', 'the payment provider does not answer'],
    [{ refused: 'Not today' }, 'Not today'],
  ] as const)(
    'of everything stays refunded when the cancellation fails: %j',
    async (outcome, why) => {
      gateway.cancel.mockResolvedValue(outcome);
      says(billed(bill(0)));
      const answered = await refund(await saved('paid'));
      expect(answered).toMatchObject({ status: 200, json: { status: 'refunded' } });
      const note = `The subscription could not be ended yet, which is tried again: ${why}`;
      expect(notes(answered).at(-1)).toBe(note);
    },
  );

  test('is noted when the provider cannot be asked right after', async () => {
    gateway.fetchPaymentState.mockResolvedValue('unavailable');
    const answered = await refund(await saved('paid'), 50);
    expect(answered).toMatchObject({ status: 200, json: { status: 'paid', refunded: 0 } });
    expect(notes(answered)).toEqual(['$50.00 given back by admin']);
  });
});

describe('an order is ended', () => {
  const causes = ({ json }: Awaited<ReturnType<typeof act>>) =>
    json.history.map(({ cause }: { cause: string }) => cause);

  test('at once, whatever the provider says of it then', async () => {
    const answered = await cancel(await saved('paid'));
    expect(answered.json.status).toBe('canceled');
    expect(notes(answered)).toEqual(['Ended at once by admin']);
    expect(causes(answered).at(-1)).toBe('Ended at once by admin');
    expect(gateway.cancel.mock.calls.map(([, when]) => when)).toEqual(['now']);
  });

  test('at the end of the paid month, and goes on until then', async () => {
    const endsAt = Date.UTC(2026, 1, 15);
    says({ endsAt });
    const answered = await cancel(await saved('paid'), 'period-end');
    expect(answered.json).toMatchObject({ status: 'paid', endsAt: '2026-02-15T00:00:00.000Z' });
    expect(notes(answered)).toEqual([
      'Ended at the end of the paid month by admin',
      'The subscription ends on 2026-02-15',
    ]);
    expect(gateway.cancel.mock.calls.map(([, when]) => when)).toEqual(['period-end']);
  });

  test('at once when it is overdue, for no month has been paid that could be used', async () => {
    const answered = await cancel(await saved('past_due'), 'period-end');
    expect(answered.json.status).toBe('canceled');
    expect(gateway.cancel.mock.calls.map(([, when]) => when)).toEqual(['now']);
  });

  test('stays paid when its customer was faster than the colleague', async () => {
    says({ status: 'requires_payment_method' });
    gateway.cancelPayment.mockImplementationOnce(async () => {
      says({ status: 'succeeded' });
      return 'succeeded';
    });
    const order = await saved('pending');
    expect((await cancel(order)).status).toBe(409);
    expect((await orderNow(app.database.db, order)).status).toBe('paid');
    expect(gateway.cancel).not.toHaveBeenCalled();
  });
});
