/** Another card takes the place of the one on file, and pays at once what is overdue. */
import { type ComponentType, Suspense } from 'react';
import type { CardFormProps } from '../payments/replace-card-form.tsx';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDollars } from '../platform/money.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { REPLACE_CARD, START_CARD } from './account-api.ts';
import { type AccountPart, useChange } from './use-account.ts';

export interface CardSectionProps extends AccountPart {
  CardForm: ComponentType<CardFormProps>;
  /** `outcome`: what has come of it, in words; null when nothing has. */
  onClose: (outcome: string | null) => void;
}

export function CardSection({ token, account, CardForm, onClose }: CardSectionProps) {
  const { name, email, phone, company, status } = account.order;
  const overdue = account.payments.find(({ state }) => state === 'open');
  const { change } = useChange(token);

  async function start(): Promise<string> {
    return (await fetchCall(START_CARD, { body: { token } })).clientSecret;
  }

  async function use(clientSecret: string): Promise<string | null> {
    const why = await change(() => fetchCall(REPLACE_CARD, { body: { token, clientSecret } }));
    const paid = status === 'past_due' ? ' What was overdue is paid.' : '';
    if (why === null) onClose(`Your card is replaced.${paid}`);
    return why;
  }

  return (
    <div className="max-w-md">
      {status === 'past_due' && overdue && (
        <p className="mb-4 text-sm">
          {formatDollars(overdue.amount)} is overdue and will be charged to the new card right away.
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
