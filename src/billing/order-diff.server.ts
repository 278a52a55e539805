/** An order before and after a report, or an act of staff: what its events are made of. */
import type { Order } from './billed-order.server.ts';
import type { PaymentState } from './gateway.server.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';

export interface OrderDiff extends Pick<PaymentState, 'endedAt' | 'lastBill'> {
  before: Order;
  after: Order;
  /** By the provider, where it led to this. */
  reported?: readonly ReportedInvoice[];
}
