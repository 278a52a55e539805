import { useQuery } from '@tanstack/react-query';
import { fetchCall } from '../platform/fetch-call.ts';
import { GET_PAYMENT_CONFIG } from './payment-api.ts';
import { TestClockPanel } from './test-gateway/test-clock-panel.tsx';

/** What the active provider adds to staff's orders; most add nothing. */
export function StaffPaymentPanel() {
  const { data } = useQuery({
    queryKey: ['payment-config'],
    queryFn: ({ signal }) => fetchCall(GET_PAYMENT_CONFIG, { signal }),
  });
  return data?.provider === 'test' && <TestClockPanel />;
}
