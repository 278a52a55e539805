import type { Feature } from '../site.server.ts';
import { acceptQuote } from './accept-quote.server.ts';
import { startOrder } from './start-order.server.ts';

export const checkoutFeature: Feature = {
  calls: [startOrder, acceptQuote],
};
