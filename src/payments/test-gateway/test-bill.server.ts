/** The bills of a test subscription, as an order is told of them. */
import type { BilledInvoice, PaymentState } from '../../orders/gateway.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { brandOfEnding } from './test-cards.ts';
import type { Subscription } from './test-subscription-store.server.ts';

export const PAID: PaymentState = { status: 'succeeded', refused: false };

export function openBill(known: Subscription, paid: boolean): BilledInvoice {
  return billOf(known, known.periodStart, cents(known.openCents ?? 0), paid);
}

/** The newest bill. */
export function billOf(
  known: Subscription,
  at: number,
  amount: Cents,
  paid: boolean,
): BilledInvoice {
  const { orderId, bills, periodStart, periodEnd, cardLast4 } = known;
  return {
    id: testBillId(orderId, bills),
    number: `T-${orderId}-${String(bills).padStart(4, '0')}`,
    createdAt: at,
    amount,
    tax: cents(0),
    paid,
    renewal: bills > 1,
    periodStart,
    periodEnd,
    ...(paid && amount > 0 ? { cardBrand: brandOfEnding(cardLast4), cardLast4 } : {}),
  };
}

export function testBillId(orderId: number, bills: number): string {
  return `test_invoice_${orderId}_${bills}`;
}
