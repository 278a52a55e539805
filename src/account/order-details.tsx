/** Staff correct who the customer is, in a dialog at the order. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MAX_EMAIL } from '../limits.ts';
import type { StaffOrder } from '../orders/order-api.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { TryAgainButton } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { GET_ORDER_ACCOUNT, SET_ORDER_DETAILS } from './account-api.ts';
import { DetailFields, readDetails } from './details-section.tsx';

export function OrderDetails({ order, onClose }: { order: StaffOrder; onClose: () => void }) {
  const params = { id: order.id };
  const queryClient = useQueryClient();
  const { data: account, isError, refetch } = useQuery(callQuery(GET_ORDER_ACCOUNT, { params }));
  if (isError)
    return (
      <Notice kind="error">
        <p>We couldn’t load the details.</p>
        <TryAgainButton onClick={() => refetch()} />
      </Notice>
    );
  if (!account) return <Skeleton className="h-64 w-full" />;
  return (
    <CallForm
      label="Contact and billing"
      schema={SET_ORDER_DETAILS.body}
      read={(field) => ({
        ...readDetails(field),
        email: field('email').trim(),
        version: order.version,
      })}
      save={(body) => fetchCall(SET_ORDER_DETAILS, { params, body })}
      onSaved={() => {
        queryClient.invalidateQueries();
        onClose();
      }}
      failed="We couldn’t save this. Please try again."
      button="Save"
      inDialog
    >
      {(line) => (
        <>
          <DetailFields line={line} known={account} />
          {line('Email', 'email', {
            type: 'email',
            autoComplete: 'off',
            maxLength: MAX_EMAIL,
            defaultValue: order.email,
            hint: 'If it changes, we email both addresses.',
          })}
        </>
      )}
    </CallForm>
  );
}
