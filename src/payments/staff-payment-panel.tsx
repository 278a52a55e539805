import { useQuery } from '@tanstack/react-query';
import type { StaffOrder } from '../orders/order-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { GET_PAYMENT_CONFIG } from './payment-api.ts';
import { TestClockPanel } from './test-gateway/test-clock-panel.tsx';
import { TestInvoiceActions } from './test-gateway/test-invoice-actions.tsx';

function useIsTest(): boolean {
  const { data } = useQuery({
    queryKey: ['payment-config'],
    queryFn: ({ signal }) => fetchCall(GET_PAYMENT_CONFIG, { signal }),
  });
  return data?.provider === 'test';
}

/** What the active provider adds to staff's orders; most add nothing. */
export function StaffPaymentPanel() {
  return useIsTest() && <TestClockPanel />;
}

/** What it adds to a single order. */
export function StaffPaymentActions({ order }: { order: StaffOrder }) {
  return useIsTest() && order.invoiceState !== null && <TestInvoiceActions order={order} />;
}
