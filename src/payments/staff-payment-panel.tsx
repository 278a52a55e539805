import { useQuery } from '@tanstack/react-query';
import type { StaffOrder } from '../orders/order-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { GET_PAYMENT_CONFIG } from './payment-api.ts';
import { TestPanel } from './test-gateway/test-panel.tsx';

/** What the active provider adds to an order of its own; most add nothing. */
export function StaffPaymentPanel({ order }: { order: StaffOrder }) {
  const { data } = useQuery({
    queryKey: ['payment-config'],
    queryFn: ({ signal }) => fetchCall(GET_PAYMENT_CONFIG, { signal }),
  });
  // An order of another provider has a customer there.
  return (
    data?.provider === 'test' && order.providerCustomer === null && <TestPanel order={order} />
  );
}
