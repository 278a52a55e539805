/** An order follows its payment in the database: what was fetched meanwhile wins. */
import { expect, test, vi } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { savedOrder, TEST_CAUSE } from '../../tests/support/saved-order.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { testGateway } from '../payments/test-gateway/test-gateway.server.ts';
import type { Gateway } from './gateway.server.ts';
import { PaymentChecks, refreshOrder } from './refresh-order.server.ts';

const app = sharedTestApp();

test('a slow, outdated answer from the provider does not overwrite newer state', async () => {
  const { db } = app.database;
  const order = await savedOrder(db, { provider: 'test', status: 'paid', subscriptionId: 'sub_1' });
  const notify = vi.fn();
  const gateway = {
    ...testGateway({ db, notify, company: ownContent().company }),
    fetchPaymentState: vi.fn<Gateway['fetchPaymentState']>(),
  };
  const look = () =>
    refreshOrder({ db, gateway, notify, paymentChecks: new PaymentChecks() }, order, TEST_CAUSE);
  const paid = { status: 'active' } as const;
  const cancelAt = Date.UTC(2027, 0, 1);
  gateway.fetchPaymentState.mockResolvedValue({ ...paid, cancelAt });
  gateway.fetchPaymentState.mockImplementationOnce(async () => {
    await look();
    return { ...paid, cancelAt: null };
  });
  expect(await look()).toMatchObject({ subscription: { cancelAt } });
  expect(notify.mock.calls.map(([, kind]) => kind.kind)).toEqual(['order-ending']);
});
