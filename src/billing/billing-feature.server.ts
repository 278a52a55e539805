import { Interval } from '../platform/interval.server.ts';
import type { Feature } from '../site.server.ts';
import { expireOrders } from './abandon-order.server.ts';
import { followInvoices } from './follow-invoices.server.ts';

const EXPIRY_EVERY_MS = 5 * 60_000;

export const billingFeature: Feature = {
  intervals: [
    (site) =>
      new Interval('order-expiry-failed', EXPIRY_EVERY_MS, (isStopped) =>
        expireOrders(site, isStopped),
      ),
    (site) =>
      new Interval('invoices-failed', EXPIRY_EVERY_MS, (isStopped) =>
        followInvoices(site, isStopped),
      ),
  ],
};
