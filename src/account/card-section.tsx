/** Another card takes the place of the one on file, and pays at once what is overdue. */
import { type ComponentType, Suspense } from 'react';
import type { CardFormProps } from '../payments/replace-card-form.tsx';
import { formatDollars } from '../platform/money.ts';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { START_CARD, USE_CARD } from './account-contracts.ts';
import { readAccount, readCardEntry } from './read-account.ts';
import type { AccountPart } from './use-account.ts';

export interface CardSectionProps extends AccountPart {
  CardForm: ComponentType<CardFormProps>;
  onClose: (done: string | null) => void;
}

export function CardSection({ token, account, acting, CardForm, onClose }: CardSectionProps) {
  const { name, email, phone, company, status } = account.order;
  const open = account.payments.find(({ state }) => state === 'open');

  async function start(): Promise<string> {
    const { clientSecret } = await fetchCall(START_CARD, readCardEntry, { body: { token } });
    return clientSecret;
  }

  async function use(clientSecret: string): Promise<string | null> {
    const body = { token, clientSecret };
    const why = await acting.act('card', () => fetchCall(USE_CARD, readAccount, { body }));
    const paid = status === 'past_due' ? ' What was overdue is paid.' : '';
    if (why === null) onClose(`Your card is replaced.${paid}`);
    return why;
  }

  return (
    <div className="max-w-md">
      {status === 'past_due' && open && (
        <p className="mb-4 text-sm">
          {formatDollars(open.amount)} is overdue and will be charged to the new card right away.
        </p>
      )}
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <CardForm
          start={start}
          use={use}
          billing={{ name, email, phone, company }}
          onCancel={() => onClose(null)}
        />
      </Suspense>
    </div>
  );
}
