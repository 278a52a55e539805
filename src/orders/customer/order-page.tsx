import ExternalLink from 'lucide-react/icons/external-link';
import Printer from 'lucide-react/icons/printer';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { Letterhead } from '../../company/letterhead.tsx';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { fields, text } from '../../platform/read.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { useSite } from '../../platform/site.ts';
import { Button } from '../../ui/button.tsx';
import { Container } from '../../ui/container.tsx';
import { FailureBoundary } from '../../ui/failure-boundary.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TryAgain } from '../../ui/try-again.tsx';
import {
  FETCH_FAILED,
  GET_LINKED_ORDER,
  OPEN_BILLING,
  readOrder,
  type ToldOrder,
} from '../order-contracts.ts';
import { OrderCard } from '../order-state.tsx';
import type { Provider } from '../payment.ts';
import type { CardFormProps } from './account/card-form-props.ts';
import { readRoute } from './order-route.ts';

type State =
  | { name: 'loading' }
  | { name: 'failed' }
  | { name: 'unknown' }
  /** The address bears no link. */
  | { name: 'none' }
  | { name: 'loaded'; order: ToldOrder; token: string };

/** A module of its own: the checkout, whose document this is, does without it. */
const Account = lazy(() => import('./account/account.tsx').catch(() => ({ default: OrderAlone })));
const LostLink = lazy(() => import('./lost-link.tsx'));

interface OrderPageProps {
  provider: Provider;
  /** Letters can be sent to customers. */
  mail: boolean;
  /** In which a card is entered in place of another. */
  CardForm: ComponentType<CardFormProps>;
}

/** The page that the link in a receipt opens. */
export function OrderPage({ provider, mail, CardForm }: OrderPageProps) {
  const [state, setState] = useState<State>({ name: 'loading' });
  const [receipt, setReceipt] = useState<string | null>(null);
  const { email } = useSite().company;

  useEffect(() => {
    if (state.name === 'loading') askForOrder().then(setState);
  }, [state]);

  // Another order's link, opened in this tab, differs in its fragment alone and loads no document; so does a receipt.
  useEffect(() => {
    const look = () => {
      const { token, receipt } = readRoute(window.location.hash);
      setReceipt(receipt);
      setState((known) =>
        known.name === 'loaded' && known.token === token ? known : { name: 'loading' },
      );
    };
    look();
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, []);

  return (
    <Container className="pt-28 pb-20 print:pt-0">
      <div className="max-w-3xl">
        {receipt === null && <Letterhead />}
        <div
          className={`flex flex-wrap items-center justify-between gap-4 ${receipt === null ? '' : 'hidden'}`}
        >
          <h1 className="text-2xl tracking-[-0.03em]">Your order</h1>
          {state.name === 'loaded' && (
            <Button variant="quiet" onClick={() => window.print()}>
              <Printer className="size-4" />
              Print
            </Button>
          )}
        </div>
        {state.name === 'loading' && <Skeleton className="mt-8 h-64 w-full" />}
        {state.name === 'unknown' && (
          <div className="mt-8">
            <Notice kind="warning">
              This link isn’t valid. Please use the one in your receipt, or call <PhoneLink />.
            </Notice>
          </div>
        )}
        {state.name === 'none' && (
          <p className="mt-4">Please open the link in your receipt to see your order.</p>
        )}
        {(state.name === 'unknown' || state.name === 'none') && (
          <FailureBoundary>
            <Suspense>
              <LostLink mail={mail} />
            </Suspense>
          </FailureBoundary>
        )}
        {state.name === 'failed' && (
          <div className="mt-8">
            <Notice kind="error">
              <p>{FETCH_FAILED}</p>
              <TryAgain onClick={() => setState({ name: 'loading' })} />
            </Notice>
          </div>
        )}
        {state.name === 'loaded' && (
          <>
            <FailureBoundary>
              <Suspense fallback={<OrderCard order={state.order} />}>
                <Account
                  key={state.token}
                  route={{ token: state.token, receipt }}
                  order={state.order}
                  test={provider === 'test'}
                  CardForm={CardForm}
                />
              </Suspense>
            </FailureBoundary>
            {provider === 'stripe' && receipt === null && <ManageBilling token={state.token} />}
            <p className="mt-8 text-sm *:text-primary print:hidden">
              Questions? Email{' '}
              <a href={`mailto:${email}`} className="underline">
                {email}
              </a>{' '}
              or call <PhoneLink />.
            </p>
          </>
        )}
      </div>
    </Container>
  );
}

/** While what else belongs to it cannot be loaded. */
function OrderAlone({ order }: { order: ToldOrder }) {
  return (
    <>
      <OrderCard order={order} />
      <div className="mt-6">
        <Notice kind="error">
          Your plan and payments couldn’t be loaded. Please reload this page.
        </Notice>
      </div>
    </>
  );
}

function PhoneLink() {
  const { phone } = useSite().company;
  return (
    <a href={`tel:${phone.tel}`} className="whitespace-nowrap underline tabular-nums">
      {phone.display}
    </a>
  );
}

async function askForOrder(): Promise<State> {
  const { token } = readRoute(window.location.hash);
  if (token === '') return { name: 'none' };
  try {
    const order = await fetchCall(GET_LINKED_ORDER, readOrder, { body: { token } });
    return { name: 'loaded', order, token };
  } catch (error) {
    const refused = error instanceof CallError && error.status < 429;
    return { name: refused ? 'unknown' : 'failed' };
  }
}

const readAddress = fields<{ url: string }>({ url: text });

/** Each press asks for a page of its own: the address that it leads to is good for a short time only. */
function ManageBilling({ token }: { token: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function open() {
    setBusy(true);
    setProblem(null);
    try {
      const { url } = await fetchCall(OPEN_BILLING, readAddress, { body: { token } });
      window.location.assign(url);
    } catch (error) {
      setBusy(false);
      setProblem(reasonOf(error, 'The billing page could not be opened. Please try again.'));
    }
  }

  return (
    <div className="mt-6">
      <Button size="large" busy={busy} onClick={open}>
        Manage billing
        <ExternalLink className="size-4" />
      </Button>
      <p className="mt-3 text-sm text-muted">
        Manage billing on Stripe: see invoices, change your card, or cancel.
      </p>
      {problem && (
        <div className="mt-4">
          <Notice kind="error">{problem}</Notice>
        </div>
      )}
    </div>
  );
}
