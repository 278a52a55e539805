/** The customer's own page below its heading: the order, what runs, what was paid; or one receipt. */
import { type ComponentType, useState } from 'react';
import type { OrderView } from '../orders/order-api.ts';
import { hashOf, type OrderRoute } from '../orders/order-route.ts';
import { OrderCard } from '../orders/order-state.tsx';
import type { Provider } from '../orders/payment.ts';
import type { CardFormProps } from '../payments/replace-card-form.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import { AskToChange } from './ask-to-change.tsx';
import { CardSection, type CardSectionProps } from './card-section.tsx';
import { ManageBilling } from './manage-billing.tsx';
import { PaymentsSection } from './payments-section.tsx';
import { PlanSection } from './plan-section.tsx';
import { Receipt } from './receipt.tsx';
import { type AccountState, useAccount } from './use-account.ts';

interface AccountProps {
  route: OrderRoute;
  /** As it was heard first. */
  order: OrderView;
  provider: Provider;
  /** Letters can be sent to customers. */
  mail: boolean;
  CardForm: ComponentType<CardFormProps>;
}

const FAILED = 'Your plan and payments couldn’t be loaded.';
const AWAY = 'Billing can’t be reached right now, so your plan can’t be changed at the moment.';

export default function Account({ route, order: first, provider, mail, CardForm }: AccountProps) {
  const { token, receipt } = route;
  const [order, setOrder] = useState(first);
  const [told, setTold] = useState<string | null>(null);
  const { state, again, acting } = useAccount(token, ({ order: now }) => setOrder(now));
  const account = state.name === 'loaded' ? state.account : null;
  const payment = account?.payments.find(({ id }) => id === receipt);
  if (account && payment)
    return <Receipt {...{ token, account, payment }} test={provider === 'test'} />;
  if (receipt !== null) return <NoReceipt token={token} state={state.name} again={again} />;

  const overdue = account?.running && account.mayChange && order.status === 'past_due';
  return (
    <>
      {overdue && <Overdue {...{ token, account, acting, CardForm }} onClose={setTold} />}
      {told && !overdue && (
        <div className="mt-8 max-w-3xl print:hidden">
          <Notice kind="success">
            <p>{told}</p>
          </Notice>
        </div>
      )}
      <OrderCard order={order} />
      {state.name === 'loading' && (
        <div aria-busy="true">
          <p className="sr-only" role="status">
            Loading your plan and payments
          </p>
          <Skeleton className="mt-6 h-56 w-full" />
        </div>
      )}
      {(state.name === 'failed' || account?.away) && (
        <div className="mt-6">
          <Notice kind={account ? 'warning' : 'error'}>
            <p>{account ? AWAY : FAILED}</p>
            <TryAgain onClick={again} />
          </Notice>
        </div>
      )}
      {account?.running && (
        <PlanSection
          {...{ token, account, acting, CardForm }}
          running={account.running}
          cardElsewhere={order.status === 'past_due'}
        />
      )}
      {account && <PaymentsSection {...{ token, account, acting }} />}
      {account && !account.mayChange && (
        <AskToChange {...{ token, account, acting, mail }} access={route.access} />
      )}
      {account?.mayChange && provider === 'stripe' && <ManageBilling token={token} />}
    </>
  );
}

interface NoReceiptProps {
  token: string;
  state: AccountState['name'];
  again: () => void;
}

/** While it is awaited, or when there is none. */
function NoReceipt({ token, state, again }: NoReceiptProps) {
  if (state === 'loading') return <Skeleton className="mt-8 h-64 w-full" />;
  return (
    <div className="mt-8 grid gap-4 text-sm">
      <Notice kind={state === 'failed' ? 'error' : 'warning'}>
        <p>{state === 'failed' ? 'The receipt couldn’t be loaded.' : 'There’s no such receipt.'}</p>
        {state === 'failed' && <TryAgain onClick={again} />}
      </Notice>
      <p>
        <a href={hashOf({ token, receipt: null })} className="text-primary underline">
          Back to your order
        </a>
      </p>
    </div>
  );
}

/** The first thing that somebody reads whose card could not be charged. */
function Overdue({ onClose, ...card }: CardSectionProps) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Overdue payment" className="mt-8 max-w-3xl print:hidden">
      <Notice kind="error">
        <p>Your last payment didn’t go through. Replace your card to keep your plan.</p>
      </Notice>
      <div className="mt-4">
        {open ? (
          <CardSection
            {...card}
            onClose={(done) => {
              setOpen(false);
              onClose(done);
            }}
          />
        ) : (
          <Button size="large" onClick={() => setOpen(true)}>
            Replace card
          </Button>
        )}
      </div>
    </section>
  );
}
