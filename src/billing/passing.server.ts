/** What a report, or staff, made of an order: what its events are told of. */
import type { Order } from './billed-order.server.ts';
import type { PaymentState } from './gateway.server.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';
import type { OrderEvent } from './order-event.server.ts';
import type { Draft } from './order-event-store.server.ts';

export interface Passing extends Pick<PaymentState, 'endedAt' | 'lastBill'> {
  before: Order;
  after: Order;
  /** By the provider, where it led to this. */
  reported?: readonly ReportedInvoice[];
}

/** One thing that happened, for lists of them. `quietly`: nobody is notified. */
export function happened(event: OrderEvent, quietly = false): Draft[] {
  return [{ event, quietly }];
}
