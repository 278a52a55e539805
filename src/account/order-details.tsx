import { useQueryClient } from '@tanstack/react-query';
import { MAX_EMAIL } from '../limits.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { CallForm } from '../ui/call-form.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { SET_ORDER_DETAILS } from './account-api.ts';
import type { ActionProps } from './change-order.tsx';
import { DetailFields, readDetails } from './details-section.tsx';

export function OrderDetails({ order, account, onClose }: ActionProps) {
  const params = { id: order.id };
  const queryClient = useQueryClient();
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
