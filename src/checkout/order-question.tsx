/** Asks before something is done with an order, and says why when it could not be done. */
import type { ReactNode } from 'react';
import { CallError } from '../platform/fetch-json.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import type { ToldStaffOrder } from './read-order.ts';
import { useOrderAction } from './use-orders.ts';

export interface ActionDialogProps {
  order: ToldStaffOrder;
  open: boolean;
  onClose: () => void;
}

interface OrderQuestionProps extends ActionDialogProps {
  what: 'refund' | 'cancel';
  title: string;
  verb: string;
  /** null while what was typed makes no sense. */
  body: object | null;
  children: ReactNode;
}

export function OrderQuestion(props: OrderQuestionProps) {
  const { order, what, open, onClose, title, verb, body, children } = props;
  const action = useOrderAction(order.id, what);
  const problem =
    action.error &&
    ((action.error instanceof CallError && action.error.reason) || 'It was not done.');
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
            disabled={body === null}
            onClick={() => body && action.mutate(body, { onSuccess: close })}
          >
            {verb}
          </Button>
          <Button variant="quiet" onClick={close}>
            Keep as it is
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
