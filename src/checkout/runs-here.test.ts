/** Whether the same plan runs already for whoever buys it: where it was bought, which is what the buyer is told. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { NOTHING_TRIED, standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import * as follow from '../orders/follow-payment.server.ts';
import { ORDER_STATUSES } from '../orders/order.ts';
import { allowAccess, readHistory } from '../orders/order-store.server.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { runsHere } from './runs-here.server.ts';

let app: TestApp;
let gateway: ReturnType<typeof standInGateway>;
const followPayment = vi.spyOn(follow, 'followPayment');
beforeEach(async () => {
  app = await startTestApp();
  gateway = standInGateway();
});
afterEach(() => app.stop());
