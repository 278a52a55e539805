import type { Feature } from '../site.server.ts';
import { readTerms } from './accepted-terms.server.ts';
import { activityCall } from './activity.server.ts';
import { orderCalls } from './order-calls.server.ts';
import { orderListCalls } from './order-list.server.ts';
import { ORDER_NOTIFICATIONS } from './order-notifications.server.ts';
import { paymentsCsvCall } from './payments-csv.server.ts';
import { salesNewsCall } from './sales-news.server.ts';

export const ordersFeature: Feature = {
  calls: [activityCall, readTerms, orderCalls, orderListCalls, paymentsCsvCall, salesNewsCall],
  notifications: ORDER_NOTIFICATIONS,
};
