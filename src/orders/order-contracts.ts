/** Buying, the buyer's own order, and what staff do with orders. */
import type { Contract } from '../platform/contract.ts';
import type { orderRequest } from './order.ts';
import type {
  anyOrder,
  cancelRequest,
  orderList,
  ownOrder,
  pageAddress,
  refundRequest,
  staffOrder,
  startedPayment,
  statusRequest,
  tokenRequest,
} from './order-shapes.ts';

export const PLACE_ORDER: Contract<typeof orderRequest, typeof startedPayment> =
  'POST /api/create-payment-intent';
export const GET_ORDER: Contract<null, typeof anyOrder> = 'GET /api/orders/:id';
export const UPDATE_STATUS: Contract<typeof statusRequest, typeof ownOrder> =
  'POST /api/orders/:id/update-status';
/** The order of a receipt's link, and the provider's page for its bills. */
export const GET_LINKED_ORDER: Contract<typeof tokenRequest, typeof ownOrder> =
  'POST /api/order-page';
export const OPEN_BILLING: Contract<typeof tokenRequest, typeof pageAddress> =
  'POST /api/order-page/billing';
/** The query is an OrderFilter. */
export const LIST_ORDERS: Contract<null, typeof orderList> = 'GET /api/admin/orders';
/** A file of CSV, with the same query. */
export const DOWNLOAD_ORDERS: Contract = 'GET /api/admin/orders/download';
export const REFUND_ORDER: Contract<typeof refundRequest, typeof staffOrder> =
  'POST /api/admin/orders/:id/refund';
export const CANCEL_ORDER: Contract<typeof cancelRequest, typeof staffOrder> =
  'POST /api/admin/orders/:id/cancel';
