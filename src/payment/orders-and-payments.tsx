/** /admin/orders: the orders, under how the provider is that takes their payments. */
import { OrdersPage } from '../orders/staff/orders-page.tsx';
import { PaymentHealthPanel } from './payment-health-panel.tsx';

export default function OrdersAndPayments() {
  return <OrdersPage above={<PaymentHealthPanel />} />;
}
