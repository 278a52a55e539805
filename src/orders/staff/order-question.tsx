/** Asks before something is done with an order, and says why when it could not be done. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { reasonOf } from '../../platform/fetch-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ORDERS_KEY, type StaffOrder } from '../order-api.ts';

export interface ActionDialogProps {
  order: StaffOrder;
  open: boolean;
  onClose: () => void;
}

interface OrderQuestionProps extends ActionDialogProps {
  title: string;
  verb: string;
  /** null while what was typed makes no sense. */
  act: (() => Promise<unknown>) | null;
  children: ReactNode;
}

export function OrderQuestion(props: OrderQuestionProps) {
  const { order, open, onClose, title, verb, act, children } = props;
  const action = useOrderAction();
  const problem = action.error && reasonOf(action.error, 'That didn’t work. Please try again.');
  const close = () => {
    action.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={title} subtitle={`${order.name}, ${order.planName}`}>
      <div className="grid gap-4">
        {children}
        {problem && <Notice kind="error">{problem}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="danger"
            busy={action.isPending}
            disabled={act === null}
            onClick={() => act && action.mutate(act, { onSuccess: close })}
          >
            {verb}
          </Button>
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Does something with an order; list and detail follow. */
function useOrderAction() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ORDERS_KEY }),
  });
}
