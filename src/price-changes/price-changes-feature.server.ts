import type { Feature } from '../site.server.ts';
import { priceChangeInterval } from './apply-price-changes.server.ts';
import { priceCalls } from './price-calls.server.ts';
import { PRICE_NOTIFICATIONS } from './price-change-mails.server.ts';

export const priceChangesFeature: Feature = {
  calls: [priceCalls],
  intervals: [priceChangeInterval],
  notifications: PRICE_NOTIFICATIONS,
};
