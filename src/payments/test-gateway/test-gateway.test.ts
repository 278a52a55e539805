/** The built-in provider decides by a token what becomes of a payment, and tells the order. */
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  type MockInstance,
  test,
  vi,
} from 'vitest';
import { makeScene } from '../../../tests/support/every-call.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import * as follow from '../../orders/follow-payment.server.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { testGateway } from './test-gateway.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const DECLINED = 'Your card was declined. Please try another card.';
const POOR = 'Your card has insufficient funds. Please try another card.';
const NOT_APPROVED = 'The payment was not approved. Please try again or use another card.';
const UNPAID = 'requires_payment_method';

const rowOf = (orderId: number): Promise<Row<'orders'>> =>
  app.database.db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();

/** A payment in a browser that has its secret, and what the order's history says of it. */
async function placed() {
  const { orderId, clientSecret } = await makeScene(app);
  const visitor = app.visitor();
  const post = (what: string, body: object) =>
    visitor.post(`/api/test-payments/${what}`, { clientSecret, ...body });
  return {
    orderId,
    clientSecret,
    confirm: async (token: string) => (await post('confirm', { token })).json,
    answer: async (approve: boolean) => (await post('answer', { approve })).json,
    retrieve: async () => (await post('retrieve', {})).json,
    async history(): Promise<[string, string][]> {
      const rows = await app.database.db
        .selectFrom('orderStatuses')
        .selectAll()
        .where('orderId', '=', orderId)
        .orderBy('id')
        .execute();
      return rows.map(({ status, cause }) => [status, cause]);
    },
  };
}

describe('a card', () => {
  test.each([
    ['succeeds', { status: 'succeeded' }, 'paid', 'succeeds'],
    ['declined', { status: UNPAID, message: DECLINED }, 'failed', 'declined'],
    ['insufficient_funds', { status: UNPAID, message: POOR }, 'failed', 'insufficient funds'],
    ['asks', { status: 'requires_action' }, 'processing', 'asks'],
  ])('that %s', async (token, payment, status, words) => {
    const { confirm, retrieve, history } = await placed();
    expect(await retrieve()).toEqual({ status: UNPAID });
    expect(await confirm(token)).toEqual(payment);
    expect(await retrieve()).toEqual(payment);
    expect((await history()).at(-1)).toEqual([status, `test card: ${words}`]);
  });

  test.each(['declined', 'insufficient_funds', 'asks'])(
    'that %s may be followed by another, and the one that succeeds is the last',
    async (token) => {
      const { confirm, history } = await placed();
      await confirm(token);
      expect(await confirm('succeeds')).toEqual({ status: 'succeeded' });
      const before = await history();
      expect(await confirm('declined')).toEqual({ status: 'succeeded' });
      expect(await history()).toEqual(before);
    },
  );
});

describe('the question of the bank', () => {
  test('is answered with yes', async () => {
    const { confirm, answer, history } = await placed();
    await confirm('asks');
    expect(await answer(true)).toEqual({ status: 'succeeded' });
    expect((await history()).at(-1)).toEqual(['paid', 'confirmation approved']);
  });

  test('is answered with no, after which another card may do', async () => {
    const { confirm, answer, history } = await placed();
    await confirm('asks');
    expect(await answer(false)).toEqual({ status: UNPAID, message: NOT_APPROVED });
    expect((await history()).at(-1)).toEqual(['failed', 'confirmation refused']);
    expect(await confirm('succeeds')).toEqual({ status: 'succeeded' });
  });

  test('is answered only where it was asked', async () => {
    const { answer, confirm } = await placed();
    expect(await answer(true)).toEqual({ status: UNPAID });
    await confirm('declined');
    expect(await answer(true)).toEqual({ status: UNPAID, message: DECLINED });
  });
});

test.each([
  ['confirm', { token: 'succeeds' }],
  ['answer', { approve: true }],
  ['retrieve', {}],
])('%s knows no other secret', async (what, body) => {
  const answered = await app
    .visitor()
    .post(`/api/test-payments/${what}`, { clientSecret: 'other', ...body });
  expect([answered.status, answered.json.message]).toEqual([404, 'Payment not found']);
});

describe('for the site', () => {
  let followPayment: MockInstance<typeof follow.followPayment>;
  beforeEach(() => {
    followPayment = vi.spyOn(follow, 'followPayment');
  });
  afterEach(() => {
    followPayment.mockRestore();
  });
  const gateway = () => testGateway({ db: app.database.db, notify: async () => undefined });
  /** The state that the order followed last, and why. */
  const followed = () => followPayment.mock.lastCall?.slice(1);

  test('it is the test provider, which charges no real card and has no page for staff', async () => {
    const { provider, live, tax, staffPage } = gateway();
    const row = await rowOf((await placed()).orderId);
    expect([provider, live, tax]).toEqual(['test', false, false]);
    expect(staffPage(row)).toBeNull();
  });

  test('a payment is started once', async () => {
    const { orderId, clientSecret } = await placed();
    const row = await rowOf(orderId);
    const { db } = app.database;
    expect(await gateway().start(row)).toEqual({
      paymentId: `test_payment_${orderId}`,
      clientSecret,
      customerId: null,
      subscriptionId: null,
      due: 45_000,
    });
    expect(clientSecret).toMatch(new RegExp(`^test_payment_${orderId}_secret_[\\w-]{43}$`));
    const payments = db.selectFrom('testPayments').selectAll().where('orderId', '=', orderId);
    const [payment, ...more] = await payments.execute();
    expect(more).toEqual([]);
    expect(payment).toMatchObject({ status: UNPAID, amountCents: 45_000 });
    expect(Date.now() - (payment?.createdAt ?? 0)).toBeLessThan(60_000);
  });

  test.each([
    ['', { status: UNPAID, refused: false }],
    ['asks', { status: 'requires_action', refused: false }],
    ['declined', { status: UNPAID, refused: true }],
    ['succeeds', { status: 'succeeded', refused: false }],
  ])('after the card "%s" it says %j', async (token, state) => {
    const { orderId, confirm } = await placed();
    if (token) await confirm(token);
    expect(await gateway().fetchPaymentState(await rowOf(orderId))).toEqual(state);
  });

  test('a payment that was never begun is unpaid', async () => {
    const row = await rowOf((await placed()).orderId);
    expect(await gateway().fetchPaymentState({ ...row, id: -1 })).toEqual({
      status: UNPAID,
      refused: false,
    });
  });

  test('it refunds a part, all that is left, and no more', async () => {
    const { orderId, confirm } = await placed();
    const row = await rowOf(orderId);
    expect(await gateway().refund(row, undefined, 'k')).toEqual({ refused: 'No payment found' });
    await confirm('succeeds');
    const charge = { id: `charge_test_invoice_${orderId}_1`, amount: 45_000 };
    const part = { ...charge, refunded: 1_000 };
    expect(await gateway().refund(row, cents(1_000), 'k')).toEqual(part);
    const state = { status: 'succeeded', refused: false, charges: [part] };
    expect(followed()).toEqual([orderId, state, 'test refund']);
    const tooMuch = { refused: 'That’s more than is left to refund' };
    expect(await gateway().refund(row, cents(44_001), 'k')).toEqual(tooMuch);
    const all = { ...charge, refunded: 45_000 };
    expect(await gateway().refund(row, undefined, 'k')).toEqual(all);
    expect(await gateway().refund(row, cents(1), 'k')).toEqual(tooMuch);
  });

  test('it ends at once what was never paid', async () => {
    const row = await rowOf((await placed()).orderId);
    const state = { status: UNPAID, refused: false };
    const why = 'test subscription ended';
    expect(await gateway().cancel(row, 'now')).toBe('done');
    expect(followed()).toEqual([row.id, { ...state, ended: true }, why]);
    // Nothing has been paid, so no month is left to use.
    expect(await gateway().cancel(row, 'period-end')).toBe('done');
    expect(followed()).toEqual([row.id, { ...state, ended: true }, why]);
  });
});
