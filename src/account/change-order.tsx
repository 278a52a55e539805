import { useQueryClient } from '@tanstack/react-query';
import type { StaffOrder } from '../orders/order-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { type Account, CHANGE_ORDER, type Payment, PREVIEW_ORDER_CHANGE } from './account-api.ts';
import { ChangeForm } from './change-plan.tsx';

export interface ActionProps {
  order: StaffOrder;
  /** Undefined while it is not known. */
  account: Account | undefined;
  /** The payment that it is about; undefined while the payments are not known. */
  payment: Payment | undefined;
  onClose: () => void;
}

export function ChangeOrder({ order, account, onClose }: ActionProps) {
  const params = { id: order.id };
  const { mail } = useSite();
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries();
  if (!account?.offers) return <Skeleton className="h-64 w-full" />;
  return (
    <>
      <p className="mb-4 text-sm">
        {mail
          ? 'The customer gets an email that says who made the change.'
          : 'Email is not set up, so tell the customer yourself. Their page shows the change.'}
      </p>
      <ChangeForm
        label="Change the plan"
        order={order}
        offers={account.offers}
        preview={(body) => fetchCall(PREVIEW_ORDER_CHANGE, { params, body })}
        change={(body) => fetchCall(CHANGE_ORDER, { params, body })}
        onRefused={reload}
        onChanged={() => {
          reload();
          onClose();
        }}
        onClose={onClose}
      />
    </>
  );
}
