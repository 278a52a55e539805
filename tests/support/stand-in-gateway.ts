/** A payment gateway made of mocks. */
import { vi } from 'vitest';
import type { Gateway, Subscriptions } from '../../src/billing/gateway.server.ts';
import { cents } from '../../src/platform/money.ts';

/** By default calls succeed, no payment has been attempted, and subscriptions are unavailable. */
export function standInGateway() {
  const mode: Pick<Gateway, 'provider' | 'name' | 'chargesRealMoney' | 'tax' | 'updatesOrders'> = {
    provider: 'stripe',
    name: 'Stripe',
    chargesRealMoney: false,
    tax: false,
    updatesOrders: false,
  };
  return {
    ...mode,
    start: vi.fn<Gateway['start']>(async ({ id, subscription: { amountCents } }) => ({
      paymentId: `pi_${id}`,
      clientSecret: `pi_${id}_secret_x`,
      customerId: 'cus_1',
      subscriptionId: `sub_${id}`,
      due: cents(amountCents),
    })),
    checkPostalCode: vi.fn<Gateway['checkPostalCode']>(async () => 'known'),
    fetchPaymentState: vi.fn<Gateway['fetchPaymentState']>(async () => ({})),
    cancelPayment: vi.fn<Gateway['cancelPayment']>(async () => 'canceled'),
    refund: vi.fn<Gateway['refund']>(async () => 'done'),
    setPoNumber: vi.fn<Gateway['setPoNumber']>(async () => 'done'),
    markPaid: vi.fn<Gateway['markPaid']>(async () => 'done'),
    cancel: vi.fn<Gateway['cancel']>(async () => 'done'),
    setPrices: null,
    invoicePages: null,
    customerUrl: vi.fn<Gateway['customerUrl']>((id) => `https://provider/${id}`),
    subscriptions: {
      getSubscription: vi.fn<Subscriptions['getSubscription']>(async () => 'unavailable'),
      preview: vi.fn<Subscriptions['preview']>(async () => 'unavailable'),
      change: vi.fn<Subscriptions['change']>(async () => 'unavailable'),
      resume: vi.fn<Subscriptions['resume']>(async () => 'unavailable'),
      startCard: vi.fn<Subscriptions['startCard']>(async () => 'unavailable'),
      finishCard: vi.fn<Subscriptions['finishCard']>(async () => 'unavailable'),
    },
  };
}
