/** From 'Pay' to the return address: the order is placed, the card confirmed, and refusals told where they happen. */
import { useState } from 'react';
import { type Choice, effectiveChoice, type Price } from '../catalogue/pricing.ts';
import type { Billing, CardEntry, PaymentOutcome } from '../payment/payment-outcome.ts';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import { toDollars } from '../platform/money.ts';
import { showToast } from '../ui/toast.ts';
import { ORDER_KEY, type OrderRequest, PAYMENT_METHODS } from './order.ts';
import { attemptFor, forgetAttempt, rememberOrderId } from './order-memory.ts';
import { RETURN_PARAMETER } from './payment-return.ts';
import { readStarted } from './read-order.ts';

interface Purchase {
  plan: { id: number } | undefined;
  choice: Choice;
  price: Price | undefined;
  billing: Billing;
  card: CardEntry;
  /** The buyer wants a second subscription beside the one that is running. */
  another: boolean;
}

interface UsePayment {
  busy: boolean;
  /** Why the last try failed, in words for the form. */
  problem: string | null;
  /** The same plan is running for this address; paying again needs the buyer's word. */
  doubled: boolean;
  pay(purchase: Purchase): Promise<void>;
}

const EXPIRED =
  'This order had been waiting for a payment for too long. Press the button once more to place it anew.';
const FAILED = 'There was an error processing your payment. Please try again.';

export function usePayment(onBusy: (busy: boolean) => void): UsePayment {
  const [state, setState] = useState<Omit<UsePayment, 'pay'>>({
    busy: false,
    problem: null,
    doubled: false,
  });
  const become = (busy: boolean, problem: string | null, doubled = false) => {
    setState({ busy, problem, doubled });
    onBusy(busy);
  };

  async function pay({ plan, choice, price, billing, card, another }: Purchase): Promise<void> {
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
    let clientSecret: string | null;
    try {
      ({ clientSecret } = await placeOrder(orderFor(plan.id, choice, price, billing, another)));
      if (clientSecret === null) {
        forgetAttempt();
        window.location.assign('/checkout');
        return;
      }
      outcome = await card.confirm(clientSecret, billing);
    } catch (error) {
      const reason = error instanceof CallError ? error.reason : undefined;
      if (names(error, ORDER_KEY)) forgetAttempt();
      showToast({ title: 'Payment Failed', description: FAILED, variant: 'destructive' });
      become(false, reason || FAILED, names(error, 'another'));
      return;
    }
    if (outcome.kind !== 'decided') {
      if (outcome.kind === 'expired') forgetAttempt();
      const description =
        outcome.kind === 'expired'
          ? EXPIRED
          : outcome.message || 'There was an error processing your payment';
      showToast({ title: 'Payment Error', description, variant: 'destructive' });
      become(false, description);
      return;
    }
    window.location.assign(returnAddress(clientSecret));
  }

  return { ...state, pay };
}

function names(error: unknown, field: string): boolean {
  return error instanceof CallError && error.errors.some(({ path }) => path === field);
}

function orderFor(
  planId: number,
  choice: Choice,
  price: Price,
  { postalCode, ...billing }: Billing,
  another: boolean,
): OrderRequest {
  return {
    planId,
    ...billing,
    ...(postalCode ? { postalCode } : {}),
    another,
    ...effectiveChoice(choice),
    amount: toDollars(price.total),
    paymentMethod: PAYMENT_METHODS[0],
  };
}

async function placeOrder(wanted: OrderRequest): Promise<{ clientSecret: string | null }> {
  const { request, key } = attemptFor(wanted);
  const started = await fetchJson('/api/create-payment-intent', readStarted, {
    method: 'POST',
    body: request,
    headers: { 'Idempotency-Key': key },
  });
  if (started.orderId !== null) rememberOrderId(started.orderId);
  return started;
}

/** /checkout with the present choices and the payment's secret, by which the return is told from a visit. */
function returnAddress(clientSecret: string): string {
  const address = new URL(window.location.href);
  address.searchParams.set(RETURN_PARAMETER, clientSecret);
  return address.href;
}
