/** The return from paying: shows the payment's outcome once, and then the order. */
import Check from 'lucide-react/icons/check';
import { type ReactNode, useEffect, useState } from 'react';
import { nextOpening } from '../company/hours.ts';
import { Letterhead } from '../company/logo.tsx';
import { monthsLater, type Provider, type RetrievedStatus } from '../orders/order.ts';
import { FETCH_FAILED, GET_ORDER, type OrderView, UPDATE_STATUS } from '../orders/order-api.ts';
import { monthlyTotal, OrderCard } from '../orders/order-card.tsx';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { ButtonLink, PrintButton, TryAgainButton } from '../ui/button.tsx';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { LinkToCopy } from '../ui/link-to-copy.tsx';
import { useTimeFormats } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast, type ToastText } from '../ui/toast/toast.ts';
import { PLACED_PARAMETER, RETURN_PARAMETER } from './checkout-data.ts';
import { clearCheckout, savedOrderId } from './place-order.ts';

const NO_ORDER: ReturnState = { order: null, paid: false, problem: null };

const UPDATE_FAILED = 'Failed to update order status';

const TOASTS: Partial<Record<RetrievedStatus, ToastText>> = {
  succeeded: {
    title: 'Payment successful!',
    description: 'Thank you for your purchase. We will be in touch shortly.',
  },
  processing: {
    title: 'Payment received',
    description: 'Your bank is still processing it. You don’t need to pay again.',
  },
};
const FAILED: ToastText = {
  title: 'Payment failed',
  description: 'There was an issue with your payment. Please try again.',
  variant: 'destructive',
};

/** Returns the status of the payment with this client secret; rejects when the provider cannot be reached. */
const RETRIEVE_STATUS: Record<Provider, (clientSecret: string) => Promise<RetrievedStatus>> = {
  test: async (secret) =>
    (await import('../payments/test-gateway/test-card-fields.tsx')).retrieveTestPayment(secret),
  stripe: async (secret) =>
    (await import('../payments/stripe/stripe-card-fields.tsx')).retrieveStripePayment(secret),
};

interface ReturnState {
  /** The order placed in this tab. */
  order: OrderView | null;
  /** The payment has succeeded or is processing. */
  paid: boolean;
  /** FETCH_FAILED when the provider could not be reached, UPDATE_FAILED when our server could not. */
  problem: string | null;
}

/** Looks up the payment by the secret in the URL, and removes the secret once its status is known. */
export function usePaymentReturn(provider: Provider) {
  const [state, setState] = useState<ReturnState>(NO_ORDER);
  const [isChecking, setChecking] = useState(true);
  const isUpdateMissing = state.problem === UPDATE_FAILED;

  useEffect(() => {
    if (!isChecking) return;
    let ignore = false;
    loadReturnState(provider, isUpdateMissing).then((found) => {
      if (ignore) return;
      setState(found);
      setChecking(false);
    });
    return () => {
      ignore = true;
    };
  }, [provider, isUpdateMissing, isChecking]);

  return { ...state, isChecking, retry: () => setChecking(true) };
}

/** `isUpdateMissing`: the payment's status is known, but the order could not be updated. */
async function loadReturnState(provider: Provider, isUpdateMissing: boolean): Promise<ReturnState> {
  const query = new URLSearchParams(window.location.search);
  const secret = query.get(RETURN_PARAMETER);
  if (secret !== null) return completeReturn(provider, secret);
  const id = savedOrderId();
  const paid = historyEntryIsPaid();
  // Where the browser forbids storage the order is unknown, but the customer must still see that they have paid.
  if (id === null) return { ...NO_ORDER, paid };
  if (isUpdateMissing) return { ...(await updateOrder(id)), paid };
  const order = await fetchCall(GET_ORDER, { params: { id } }).catch(() => null);
  return { order, paid, problem: null };
}

async function completeReturn(provider: Provider, secret: string): Promise<ReturnState> {
  const status = await RETRIEVE_STATUS[provider](secret).catch(() => null);
  if (status === null) return { ...NO_ORDER, problem: FETCH_FAILED };
  const id = savedOrderId();
  const updated = id === null ? NO_ORDER : await updateOrder(id);
  const paid = status === 'succeeded' || status === 'processing';
  removeSecret(paid);
  if (status === 'succeeded') clearCheckout();
  showToast(TOASTS[status] ?? FAILED);
  return { ...updated, paid };
}

function historyEntryIsPaid(): boolean {
  return window.history.state?.paid === true;
}

/** Keeps `paid` in the history entry: a reload shows the order again, but a shared link does not. */
function removeSecret(paid: boolean): void {
  const url = new URL(window.location.href);
  for (const name of [RETURN_PARAMETER, 'payment_intent', 'redirect_status'])
    url.searchParams.delete(name);
  if (paid) url.searchParams.set(PLACED_PARAMETER, '1');
  window.history.replaceState({ ...window.history.state, paid }, '', url);
}

/** Has the server look up the payment now, so that a late webhook makes no difference. */
async function updateOrder(id: number): Promise<Pick<ReturnState, 'order' | 'problem'>> {
  const body = { status: 'processing' } as const;
  return fetchCall(UPDATE_STATUS, { params: { id }, body }).then(
    (order) => ({ order, problem: null }),
    () => ({ order: null, problem: UPDATE_FAILED }),
  );
}

/** Shown until there is an order to show: the payment is being looked up, could not be, or has no order in this tab. */
export function PaymentCheck(returned: ReturnType<typeof usePaymentReturn>) {
  const { paid, problem, isChecking, retry } = returned;
  const isLoading = !paid && !problem;
  const heading = paid ? 'Payment received' : 'We couldn’t check your payment';
  return (
    <div aria-busy={isLoading} className="max-w-3xl">
      <h1 className="text-2xl tracking-[-0.03em]">
        {isLoading ? 'Checking your payment' : heading}
      </h1>
      {isLoading && (
        <>
          <p className="mt-3 text-lg" role="status">
            One moment, please. Don’t close this page or pay again.
          </p>
          <p className="mt-3 hidden noscript:block">
            This page needs JavaScript to show your payment. Please turn it on.
          </p>
          <Skeleton className="mt-8 h-72 w-full noscript:hidden" />
        </>
      )}
      {problem && (
        <Notice kind="error" className="mt-6">
          <p>{problem}</p>
          <p className="mt-1">
            {problem === FETCH_FAILED
              ? 'Please don’t pay again yet. If your bank approved the payment, it counts.'
              : 'Your payment counts. Only your order could not be shown.'}
          </p>
          <TryAgainButton busy={isChecking} onClick={retry} />
        </Notice>
      )}
      {paid && !problem && (
        <p className="mt-3 text-lg">
          Thank you. We’ll contact you within one business day to begin.
        </p>
      )}
    </div>
  );
}

interface OrderPlacedProps {
  order: OrderView;
  mail: boolean;
  /** The test gateway took no money. */
  test: boolean;
}

/** The confirmation: what was paid, what happens next and when, and where to find the order again. */
export function OrderPlaced({ order, mail, test }: OrderPlacedProps) {
  const paid = order.status === 'paid';
  const [heading, lead] = headingAndLead({ order, mail, test });
  return (
    <div className="max-w-3xl">
      <Letterhead />
      <h1 className="mt-6 flex items-center gap-4 text-2xl tracking-[-0.03em] print:mt-0">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-primary text-white transition-transform duration-200 motion-safe:starting:scale-50 print:hidden">
          <Check className="size-6" strokeWidth={2.5} />
        </span>
        <span>{heading}</span>
      </h1>
      <p className="mt-4 text-lg text-pretty print:mt-2 print:text-sm">{lead}</p>
      {test && <p className="mt-2 text-sm">This was a test: no money was taken.</p>}
      {paid && <NextSteps order={order} mail={mail} />}
      <OrderCard order={order} hideNext={paid} />
      {order.page && <OrderLink page={order.page} mail={mail} />}
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        {order.page && <ButtonLink href={order.page}>View your order</ButtonLink>}
        <PrintButton />
        <ButtonLink href="/" variant="quiet">
          Back to Home
        </ButtonLink>
      </div>
      <p className="mt-6 text-sm print:hidden">
        Need a second subscription?{' '}
        <a href="/checkout" className="text-primary underline underline-offset-4">
          Choose another plan
        </a>
      </p>
    </div>
  );
}

function OrderLink({ page, mail }: { page: string; mail: boolean }) {
  const url = new URL(page, window.location.href).href;
  return (
    <>
      <p className="hidden text-xs break-all print:mt-2 print:block">{`Your order: ${url}`}</p>
      <section aria-labelledby="order-link" className="mt-8 print:hidden">
        <h2 id="order-link" className="text-lg">
          Keep the link to your order
        </h2>
        <p className="mt-2 mb-4 text-sm">
          {`It opens your plan, payments, and receipts. From this browser, you can also change or cancel your plan there. ${
            mail ? 'It’s in your receipt, too.' : 'We don’t email it, so it’s your only way back.'
          }`}
        </p>
        <LinkToCopy label="Link to your order" url={url} autoFocus={false} />
      </section>
    </>
  );
}

/** The order may have changed since it was paid, for example been refunded. */
function headingAndLead({ order, mail, test }: OrderPlacedProps): [heading: string, lead: string] {
  const total = monthlyTotal(order);
  switch (order.status) {
    case 'paid': {
      const sum = total === undefined ? 'Your first month' : formatDollars(total);
      const what = total === undefined ? 'is paid' : 'is paid for your first month';
      return ['You’re all set', `Thank you${test ? '' : ' for your payment'}. ${sum} ${what}.`];
    }
    case 'processing':
      return [
        'Your order is in',
        `Your bank is still processing the payment. You don’t need to pay again.${mail ? ' We’ll email you when it goes through.' : ''}`,
      ];
    default:
      return ['Your order is in', 'Thank you. This is where your order stands.'];
  }
}

function NextSteps({ order, mail }: Omit<OrderPlacedProps, 'test'>) {
  const { hours } = useSite().company;
  const formats = useTimeFormats();
  const placed = order.createdAt ? new Date(order.createdAt) : new Date();
  const kickOff = new Date(nextOpening(hours, placed.getTime()).date);
  const day = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  });
  const total = monthlyTotal(order);
  return (
    <section aria-labelledby="next-steps" className="mt-8 print:mt-4">
      <h2 id="next-steps" className="text-lg">
        What happens next
      </h2>
      <ol className="mt-3 grid gap-3 text-sm print:gap-1">
        <Step title="Today">
          {mail
            ? `Your receipt is on its way${order.email && ` to ${order.email}`}. Use its link to view this order anytime.`
            : 'Please print or save this page: this site doesn’t email receipts.'}
        </Step>
        <Step title={`By ${day.format(kickOff)}`}>
          We’ll contact you within one business day to begin. Something urgent? Call{' '}
          <CompanyPhone className="text-primary" />.
        </Step>
        {!order.endsAt && (
          <Step title={formats.day.format(monthsLater(placed, 1))}>
            {`Your next charge${total === undefined ? '' : `: ${formatDollars(total)}`}. The same amount is charged every month until you cancel.`}
          </Step>
        )}
      </ol>
    </section>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="grid gap-x-6 sm:grid-cols-[14rem_1fr]">
      <strong className="font-medium text-ink">{title}</strong>
      <span>{children}</span>
    </li>
  );
}
