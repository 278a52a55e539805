/** The dialogs in which staff change an order's plan, and who its customer is. */
import { useQueryClient } from '@tanstack/react-query';
import type { StaffOrder } from '../orders/order-api.ts';
import { ChangeForm } from '../own-page/change-plan.tsx';
import { DetailFields, readDetails } from '../own-page/details-section.tsx';
import {
  CHANGE_ORDER,
  type OwnPage,
  type Payment,
  PREVIEW_ORDER_CHANGE,
  SET_ORDER_DETAILS,
} from '../own-page/own-page-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { CallForm } from '../ui/call-form.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export const TELL_YOURSELF = 'Email is not set up, so tell the customer yourself.';

export interface ActionProps {
  order: StaffOrder;
  page: OwnPage | undefined;
  /** The payment that it is about; undefined while the payments are not known. */
  payment: Payment | undefined;
  onClose: () => void;
}

export function ChangeOrder({ order, page, onClose }: ActionProps) {
  const params = { id: order.id };
  const { mail } = useSite();
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries();
  if (!page?.offers) return <Skeleton className="h-64 w-full" />;
  return (
    <>
      <p className="mb-4 text-sm">
        {mail
          ? 'The customer gets an email that says who made the change.'
          : `${TELL_YOURSELF} Their page shows the change.`}
      </p>
      <ChangeForm
        label="Change the plan"
        hint="From 1 to 1,000"
        order={order}
        offers={page.offers}
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

export function OrderDetails({ order, page, onClose }: ActionProps) {
  const params = { id: order.id };
  const { mail } = useSite();
  const queryClient = useQueryClient();
  if (!page) return <Skeleton className="h-64 w-full" />;
  return (
    <CallForm
      label="Contact and billing"
      schema={SET_ORDER_DETAILS.body}
      read={(field) => ({
        ...readDetails(field),
        email: field('email'),
        version: order.version,
      })}
      save={(body) => fetchCall(SET_ORDER_DETAILS, { params, body })}
      onFailed={() => queryClient.invalidateQueries()}
      onSaved={() => {
        queryClient.invalidateQueries();
        onClose();
      }}
      button="Save"
      inDialog
    >
      {(line) => (
        <>
          <DetailFields line={line} page={page} />
          {line('Email', 'email', {
            type: 'email',
            autoComplete: 'off',
            defaultValue: order.email,
            hint: mail
              ? 'If it changes once the order is accepted, we email both addresses.'
              : TELL_YOURSELF,
          })}
        </>
      )}
    </CallForm>
  );
}
