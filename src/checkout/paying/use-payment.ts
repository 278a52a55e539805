/** From 'Pay' to the return address: the order is placed, the card confirmed, and refusals told where they happen. */
import { useState } from 'react';
import { ORDER_KEY } from '../../orders/order.ts';
import type { PaymentOutcome } from '../../payment/payment-outcome.ts';
import { CallError } from '../../platform/fetch-call.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { RETURN_PARAMETER } from '../checkout-address.ts';
import { tellNoPlan } from '../no-plan.ts';
import { forgetAttempt, orderFor, type Purchase, placeOrder } from '../place-order.ts';

interface PaymentState {
  busy: boolean;
  /** Why the last try failed, in words for the form. */
  problem: string | null;
  /** The same plan is running for this address; paying again needs the buyer's word. */
  doubled: boolean;
}

const EXPIRED = 'Your order timed out. Press Pay again.';
const FAILED = 'There was an error processing your payment. Please try again.';

export function usePayment(onBusy: (busy: boolean) => void) {
  const [state, setState] = useState<PaymentState>({ busy: false, problem: null, doubled: false });
  const become = (busy: boolean, problem: string | null, doubled = false) => {
    setState({ busy, problem, doubled });
    onBusy(busy);
  };

  async function pay(purchase: Purchase): Promise<void> {
    const { plan, price, billing, card } = purchase;
    if (!plan || !price) return tellNoPlan();
    become(true, null);
    let outcome: PaymentOutcome;
    let clientSecret: string | null;
    try {
      clientSecret = await placeOrder(orderFor(plan.id, price, purchase));
      if (clientSecret === null) {
        forgetAttempt();
        window.location.assign('/checkout');
        return;
      }
      outcome = await card.confirm(clientSecret, billing).catch((cause: unknown) => {
        throw new Error('Payment processing failed', { cause });
      });
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      const refusal = cause instanceof CallError ? cause : undefined;
      if (names(refusal, ORDER_KEY)) forgetAttempt();
      showToast({ title: 'Payment Failed', description: FAILED, variant: 'destructive' });
      become(false, refusal?.reason || FAILED, names(refusal, 'another'));
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

function names(refusal: CallError | undefined, field: string): boolean {
  return refusal?.errors.some(({ path }) => path === field) ?? false;
}

/** /checkout with the present choices and the payment's secret, by which the return is told from a visit. */
function returnAddress(clientSecret: string): string {
  const address = new URL(window.location.href);
  address.searchParams.set(RETURN_PARAMETER, clientSecret);
  return address.href;
}
