import { Interval } from '../platform/interval.server.ts';
import { MINUTE_MS } from '../platform/time.ts';
import type { Feature } from '../site.server.ts';
import { applyPriceChanges } from './apply-price-changes.server.ts';
import { priceCalls } from './price-calls.server.ts';
import { PRICE_NOTIFICATIONS } from './price-change-mails.server.ts';

export const priceChangesFeature: Feature = {
  calls: [priceCalls],
  intervals: [
    (site) =>
      new Interval('price-changes-failed', MINUTE_MS, (isStopped) =>
        applyPriceChanges(site, isStopped),
      ),
  ],
  notifications: PRICE_NOTIFICATIONS,
};
