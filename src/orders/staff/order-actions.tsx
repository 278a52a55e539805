/** Giving money back and ending a subscription, each behind a question that says what will happen. */
import { useState } from 'react';
import { fetchCall } from '../../platform/fetch-call.ts';
import { anything } from '../../platform/read.ts';
import { Button } from '../../ui/button.tsx';
import { RadioCards } from '../../ui/fields/radio-cards.tsx';
import { ENDABLE, ENDINGS, REFUNDABLE } from '../order.ts';
import { CANCEL_ORDER, type ToldStaffOrder } from '../order-contracts.ts';
import { type ActionDialogProps, OrderQuestion } from './order-question.tsx';
import { leftToRefund, RefundDialog } from './refund-dialog.tsx';

export function OrderActions({ order }: { order: ToldStaffOrder }) {
  const [asking, setAsking] = useState<'refund' | 'cancel' | null>(null);
  const close = () => setAsking(null);
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {order.status && REFUNDABLE.includes(order.status) && leftToRefund(order) !== 0 && (
        <Button variant="quiet" size="small" onClick={() => setAsking('refund')}>
          Refund…
        </Button>
      )}
      {order.status && ENDABLE.includes(order.status) && (
        <Button variant="quiet" size="small" onClick={() => setAsking('cancel')}>
          End subscription…
        </Button>
      )}
      <RefundDialog order={order} open={asking === 'refund'} onClose={close} />
      <CancelDialog order={order} open={asking === 'cancel'} onClose={close} />
    </div>
  );
}

const ENDING_LABELS = {
  now: 'Immediately',
  'period-end': 'At the end of the paid month',
} as const;

function CancelDialog({ order, open, onClose }: ActionDialogProps) {
  const [when, setWhen] = useState<(typeof ENDINGS)[number]>('period-end');
  const paid = order.status === 'paid';
  return (
    <OrderQuestion
      order={order}
      open={open}
      onClose={onClose}
      title="End the subscription"
      verb="End the subscription"
      act={() =>
        fetchCall(CANCEL_ORDER, anything, {
          params: { id: order.id },
          body: { when: paid ? when : 'now' },
        })
      }
    >
      <p className="text-sm">This doesn’t issue a refund. Use Refund for that.</p>
      {paid ? (
        <RadioCards
          legend="When"
          name="ending"
          value={when}
          options={ENDINGS.map((value) => ({ value, label: ENDING_LABELS[value] })).toReversed()}
          onChange={setWhen}
        />
      ) : (
        <p className="text-sm">It ends immediately because this month hasn’t been paid.</p>
      )}
    </OrderQuestion>
  );
}
