/** /admin/orders: the orders, over the clock of the test gateway where that takes the payments. */
import { useQuery } from '@tanstack/react-query';
import { PROVIDERS } from '../orders/payment.ts';
import { OrdersPage } from '../orders/staff/orders-page.tsx';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { fields, oneOf } from '../platform/old/read.ts';
import { GET_PAYMENT_CONFIG } from './payment-contracts.ts';
import { TestClockPanel } from './test-clock-panel.tsx';

const readProvider = fields({ provider: oneOf(PROVIDERS) });

export default function OrdersAndPayments() {
  const { data } = useQuery({
    queryKey: ['payment-config'],
    queryFn: ({ signal }) => fetchCall(GET_PAYMENT_CONFIG, readProvider, { signal }),
  });
  return <OrdersPage below={data?.provider === 'test' && <TestClockPanel />} />;
}
