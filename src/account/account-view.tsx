/** The customer's own page below its heading: the order, what runs, what was paid; or one receipt. */
import { type ComponentType, useState } from 'react';
import type { OrderView } from '../orders/order-api.ts';
import { hashOf, type OrderRoute } from '../orders/order-route.ts';
import { OrderCard } from '../orders/order-state.tsx';
import type { Provider } from '../orders/payment.ts';
import type { CardFormProps } from '../payments/replace-card-form.tsx';
import { Button, TryAgain } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CardSection, type CardSectionProps } from './card-section.tsx';
import { AskToChange } from './lost-link.tsx';
import { PaymentsSection } from './payments-section.tsx';
import { PlanSection } from './plan-section.tsx';
import { Receipt } from './receipt.tsx';
import { useAccount } from './use-account.ts';

interface AccountViewProps {
  route: OrderRoute;
  /** As the link showed it first. */
  order: OrderView;
  provider: Provider;
  /** Emails can be sent to customers. */
  mail: boolean;
  CardForm: ComponentType<CardFormProps>;
}

const FAILED = 'Your plan and payments couldn’t be loaded.';
const AWAY = 'Billing can’t be reached right now, so your plan can’t be changed at the moment.';

export function AccountView({ route, order: first, provider, mail, CardForm }: AccountViewProps) {
  const { token, receipt, access } = route;
  const [outcome, setOutcome] = useState<string | null>(null);
  const { data: account, isFetching, refetch } = useAccount(token);
  const isLoading = !account && isFetching;
  const tryAgain = <TryAgain onClick={() => refetch()} />;

  if (receipt !== null) {
    const payment = account?.payments.find(({ id }) => id === receipt);
    if (account && payment)
      return <Receipt {...{ token, account, payment }} test={provider === 'test'} />;
    if (isLoading) return <Skeleton className="mt-8 h-64 w-full" />;
    return (
      <div className="mt-8 grid gap-4 text-sm">
        <Notice kind={account ? 'warning' : 'error'}>
          <p>{account ? 'There’s no such receipt.' : 'The receipt couldn’t be loaded.'}</p>
          {!account && tryAgain}
        </Notice>
        <p>
          <a href={hashOf({ token })} className="text-primary underline">
            Back to your order
          </a>
        </p>
      </div>
    );
  }

  const order = account?.order ?? first;
  const isOverdue = order.status === 'past_due';
  const showsOverdue = account?.running && account.mayChange && isOverdue;
  return (
    <>
      {showsOverdue && <Overdue {...{ token, account, CardForm }} onClose={setOutcome} />}
      {outcome && !showsOverdue && (
        <div className="mt-8 max-w-3xl print:hidden">
          <Notice kind="success">
            <p>{outcome}</p>
          </Notice>
        </div>
      )}
      <OrderCard order={order} />
      {isLoading && (
        <div aria-busy="true">
          <p className="sr-only" role="status">
            Loading your plan and payments
          </p>
          <Skeleton className="mt-6 h-56 w-full" />
        </div>
      )}
      {!isLoading && (!account || account.away) && (
        <div className="mt-6">
          <Notice kind={account ? 'warning' : 'error'}>
            <p>{account ? AWAY : FAILED}</p>
            {tryAgain}
          </Notice>
        </div>
      )}
      {account?.running && (
        <PlanSection
          {...{ token, account, CardForm }}
          running={account.running}
          hidesCard={isOverdue}
        />
      )}
      {account && <PaymentsSection {...{ token, account }} />}
      {account && !account.mayChange && <AskToChange {...{ token, access, mail }} />}
    </>
  );
}

/** The first thing that a customer reads whose card could not be charged. */
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
            onClose={(outcome) => {
              setOpen(false);
              onClose(outcome);
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
