import { Interval } from '../platform/interval.server.ts';
import { MINUTE_MS } from '../platform/time.ts';
import type { Feature } from '../site.server.ts';
import { expireOrders } from './abandon-order.server.ts';
import { followInvoices } from './follow-invoices.server.ts';

export const billingFeature: Feature = {
  intervals: [
    (site) =>
      new Interval('order-expiry-failed', 5 * MINUTE_MS, (isStopped) =>
        expireOrders(site, isStopped),
      ),
    (site) =>
      new Interval('invoices-failed', 5 * MINUTE_MS, (isStopped) =>
        followInvoices(site, isStopped),
      ),
  ],
};
