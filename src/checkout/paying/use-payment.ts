/**
 * From 'Pay' to the return address and back: the order is placed, the card confirmed, and refusals told where they happen;
 * then what became of the payment is told once, and the order follows.
 */
import { useEffect, useState } from 'react';
import { ORDER_KEY } from '../../orders/order.ts';
import {
  FETCH_FAILED,
  GET_ORDER,
  readOrder,
  type ToldOrder,
  UPDATE_STATUS,
} from '../../orders/order-contracts.ts';
import type { PaymentOutcome, Retrieved } from '../../orders/payment.ts';
import type { Retrieve } from '../../payment/retrieve-payment.ts';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { showToast, type ToastText } from '../../ui/toast/toast.ts';
import { RETURN_PARAMETER } from '../checkout-address.ts';
import { tellNoPlan } from '../no-plan.ts';
import {
  forgetAttempt,
  orderFor,
  type Purchase,
  placeOrder,
  recallOrderId,
} from '../place-order.ts';

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

interface Followed {
  /** The order that this tab has placed, once the server has told of it. */
  order: ToldOrder | null;
  /** The payment with which this entry of the history came back has arrived, or is on its way. */
  paid: boolean;
  /** Who could not be asked, in words: the provider about the payment, or our server about the order. */
  problem: string | null;
}

const NOTHING: Followed = { order: null, paid: false, problem: null };

const UPDATE_FAILED = 'Failed to update order status';

const WORDS: Partial<Record<Retrieved, ToastText>> = {
  succeeded: {
    title: 'Payment successful!',
    description: 'Thank you for your purchase. We will be in touch shortly.',
  },
  processing: {
    title: 'Payment received',
    description: 'Your bank is still processing it. We’ll email you when it goes through.',
  },
};
const NOT_PAID: ToastText = {
  title: 'Payment failed',
  description: 'There was an issue with your payment. Please try again.',
  variant: 'destructive',
};

/**
 * `retrieve` asks the payment provider by the secret in the address; the secret is removed once it has answered. `again`
 * asks once more.
 */
export function usePaymentReturn(retrieve: Retrieve) {
  const [followed, setFollowed] = useState<Followed>(NOTHING);
  const [asking, setAsking] = useState(true);
  const updating = followed.problem === UPDATE_FAILED;

  useEffect(() => {
    if (!asking) return;
    let wanted = true;
    follow(retrieve, updating)
      .catch(asProblem)
      .then((found) => {
        if (!wanted) return;
        setFollowed(found);
        setAsking(false);
      });
    return () => {
      wanted = false;
    };
  }, [retrieve, updating, asking]);

  return { ...followed, asking, again: () => setAsking(true) };
}

/** `updating`: the payment has been told of, and only the order has not followed yet. */
async function follow(retrieve: Retrieve, updating: boolean): Promise<Followed> {
  const address = new URL(window.location.href);
  const secret = address.searchParams.get(RETURN_PARAMETER);
  const id = recallOrderId();
  if (secret === null) {
    if (id === null) return { ...NOTHING, paid: cameBackPaid() };
    if (updating) return { ...(await updateOrder(id)), paid: cameBackPaid() };
    const order = await fetchCall(GET_ORDER, readOrder, { params: { id } }).catch(() => null);
    return { order, paid: cameBackPaid(), problem: null };
  }
  const status = await retrieve(secret).catch(failing(FETCH_FAILED));
  const followed = id === null ? NOTHING : await updateOrder(id).catch(asProblem);
  const paid = status === 'succeeded' || status === 'processing';
  forgetSecret(paid);
  if (status === 'succeeded') forgetAttempt();
  showToast(WORDS[status] ?? NOT_PAID);
  return { ...followed, paid };
}

function cameBackPaid(): boolean {
  return window.history.state?.paid === true;
}

/** `paid` is kept in the entry of the history: a reload shows the order again, and a link that is sent does not. */
function forgetSecret(paid: boolean): void {
  const address = new URL(window.location.href);
  for (const name of [RETURN_PARAMETER, 'payment_intent', 'redirect_status'])
    address.searchParams.delete(name);
  window.history.replaceState({ ...window.history.state, paid }, '', address);
}

/** Asks the server to look at the order's payment now, so that a late message from the provider makes no difference. */
async function updateOrder(id: number): Promise<Followed> {
  const order = await fetchCall(UPDATE_STATUS, readOrder, {
    params: { id },
    body: { status: 'processing' },
  }).catch(failing(UPDATE_FAILED));
  return { ...NOTHING, order };
}

function failing(message: string) {
  return (cause: unknown): never => {
    throw new Error(message, { cause });
  };
}

function asProblem({ message }: Error): Followed {
  return { ...NOTHING, paid: cameBackPaid(), problem: message };
}
