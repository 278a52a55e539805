/** Staff change a plan for its customer, in a dialog at the order. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { StaffOrder } from '../orders/order-api.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { TryAgainButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CHANGE_ORDER, GET_ORDER_ACCOUNT, PREVIEW_ORDER_CHANGE } from './account-api.ts';
import { ChangeForm } from './change-plan.tsx';

export function ChangeOrder({ order, onClose }: { order: StaffOrder; onClose: () => void }) {
  const params = { id: order.id };
  const { mail } = useSite();
  const queryClient = useQueryClient();
  const { data, isError, refetch } = useQuery(callQuery(GET_ORDER_ACCOUNT, { params }));
  const reload = () => queryClient.invalidateQueries();
  if (isError)
    return (
      <Notice kind="error">
        <p>We couldn’t load what is sold.</p>
        <TryAgainButton onClick={() => refetch()} />
      </Notice>
    );
  if (!data?.offers) return <Skeleton className="h-64 w-full" />;
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
        offers={data.offers}
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
