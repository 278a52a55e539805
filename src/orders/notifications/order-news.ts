/** What happens to an order once it is paid, as the title of what staff read before the order's number. */
export const ORDER_NEWS = {
  'order-paid': 'New order',
  'order-renewed': 'Renewal of order',
  'order-renewal-failed': 'Failed renewal of order',
  'order-disputed': 'Dispute on order',
  'order-refunded': 'Refund for order',
  'order-changed': 'Change of order',
  'order-card-replaced': 'New card for order',
  'order-ending': 'Cancellation of order',
  'order-ended': 'End of order',
} as const;

export type OrderNews = keyof typeof ORDER_NEWS;
