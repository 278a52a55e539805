/** From 'Pay' to the return address: the order is placed, the card confirmed, and refusals told where they happen. */
import { useState } from 'react';
import { type Choice, effectiveChoice, type Price } from '../catalogue/pricing.ts';
import type { Billing, CardEntry, PaymentOutcome } from '../payment/payment-outcome.ts';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import { toDollars } from '../platform/money.ts';
import { showToast } from '../ui/toast.ts';
import { type OrderRequest, PAYMENT_METHODS, type StartedPayment } from './order.ts';
import { idempotencyKeyFor, rememberOrderId } from './order-memory.ts';
import { RETURN_PARAMETER } from './payment-return.ts';

interface Purchase {
  plan: { id: number } | undefined;
  choice: Choice;
  price: Price | undefined;
  billing: Billing;
  card: CardEntry;
}

interface UsePayment {
  busy: boolean;
  /** Why the last try failed, in words for the form. */
  problem: string | null;
  pay(purchase: Purchase): Promise<void>;
}

const FAILED = 'There was an error processing your payment. Please try again.';

export function usePayment(onBusy: (busy: boolean) => void): UsePayment {
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({
    busy: false,
    problem: null,
  });
  const become = (busy: boolean, problem: string | null) => {
    setState({ busy, problem });
    onBusy(busy);
  };

  async function pay({ plan, choice, price, billing, card }: Purchase): Promise<void> {
    if (!plan || !price) {
      showToast({
        title: 'No plan selected',
        description: 'Please select a service plan to continue.',
        variant: 'destructive',
      });
      return;
    }
    become(true, null);
    let outcome: PaymentOutcome;
    let started: StartedPayment;
    try {
      started = await placeOrder(orderFor(plan.id, choice, price, billing));
      outcome = await card.confirm(started.clientSecret, billing);
    } catch (error) {
      showToast({ title: 'Payment Failed', description: FAILED, variant: 'destructive' });
      become(false, (error instanceof CallError && error.reason) || FAILED);
      return;
    }
    if (outcome.kind === 'refused') {
      const description = outcome.message || 'There was an error processing your payment';
      showToast({ title: 'Payment Error', description, variant: 'destructive' });
      become(false, description);
      return;
    }
    window.location.assign(returnAddress(started.clientSecret));
  }

  return { ...state, pay };
}

function orderFor(planId: number, choice: Choice, price: Price, billing: Billing): OrderRequest {
  return {
    planId,
    ...billing,
    ...effectiveChoice(choice),
    amount: toDollars(price.total),
    paymentMethod: PAYMENT_METHODS[0],
  };
}

async function placeOrder(request: OrderRequest): Promise<StartedPayment> {
  const started = await fetchJson<StartedPayment>('/api/create-payment-intent', {
    method: 'POST',
    body: request,
    headers: { 'Idempotency-Key': idempotencyKeyFor(request) },
  });
  rememberOrderId(started.orderId);
  return started;
}

/** /checkout with the present choices and the payment's secret, by which the return is told from a visit. */
function returnAddress(clientSecret: string): string {
  const address = new URL(window.location.href);
  address.searchParams.set(RETURN_PARAMETER, clientSecret);
  return address.href;
}
