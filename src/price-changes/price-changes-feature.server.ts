import { Interval } from '../platform/interval.server.ts';
import { MINUTE_MS } from '../platform/time.ts';
import type { Feature } from '../site.server.ts';
import { applyNotices } from './apply-notices.server.ts';
import { PRICE_NOTIFICATIONS } from './deliver-notice.server.ts';
import { priceCalls } from './price-calls.server.ts';

export const priceChangesFeature: Feature = {
  calls: [priceCalls],
  intervals: [
    (site) =>
      new Interval('price-changes-failed', MINUTE_MS, (isStopped) => applyNotices(site, isStopped)),
  ],
  notifications: PRICE_NOTIFICATIONS,
};
