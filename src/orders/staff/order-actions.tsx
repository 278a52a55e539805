/** Giving money back and ending a subscription, each behind a question that says what will happen. */
import { useState } from 'react';
import { fetchCall, reasonOf } from '../../platform/fetch-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { RadioCards } from '../../ui/fields/radio-cards.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { awaitsPayment, ENDABLE, ENDINGS, isErased, REFUNDABLE } from '../order.ts';
import {
  CANCEL_ORDER,
  MAKE_ORDER_LINK,
  REVOKE_ORDER_LINKS,
  type StaffOrder,
} from '../order-api.ts';
import { type ActionDialogProps, OrderQuestion } from './order-question.tsx';
import { leftToRefund, RefundDialog } from './refund-dialog.tsx';

export function OrderActions({ order }: { order: StaffOrder }) {
  const [asking, setAsking] = useState<'refund' | 'cancel' | 'link' | 'revoke' | null>(null);
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
      {order.status && !awaitsPayment(order.status) && !isErased(order) && (
        <>
          <Button variant="quiet" size="small" onClick={() => setAsking('link')}>
            Make a link…
          </Button>
          <Button variant="quiet" size="small" onClick={() => setAsking('revoke')}>
            Revoke links…
          </Button>
        </>
      )}
      <LinkDialog order={order} open={asking === 'link'} onClose={close} />
      <OrderQuestion
        order={order}
        open={asking === 'revoke'}
        onClose={close}
        title="Revoke links"
        verb="Revoke links"
        act={() => fetchCall(REVOKE_ORDER_LINKS, { params: { id: order.id } })}
      >
        <p className="text-sm">
          No link that was sent before opens this order any more, and no browser may change it until
          its customer has a new link.
        </p>
      </OrderQuestion>
      <RefundDialog order={order} open={asking === 'refund'} onClose={close} />
      <CancelDialog order={order} open={asking === 'cancel'} onClose={close} />
    </div>
  );
}

/** For a customer who gets no email from us. */
function LinkDialog({ order, open, onClose }: ActionDialogProps) {
  const [url, setUrl] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const make = () =>
    fetchCall(MAKE_ORDER_LINK, { params: { id: order.id } }).then(
      (made) => setUrl(made.url),
      (error) => setProblem(reasonOf(error, 'That didn’t work. Please try again.')),
    );
  const close = () => {
    setUrl(null);
    setProblem(null);
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title="Make a link" subtitle={order.name}>
      <div className="grid gap-4 text-sm">
        <p>
          Whoever opens this link can change the plan, replace the card and cancel. It works once,
          within 30 minutes. Give it to the customer only.
        </p>
        {problem && <Notice kind="error">{problem}</Notice>}
        {url === null ? (
          <Button onClick={make} className="justify-self-start">
            Make the link
          </Button>
        ) : (
          <Field label="Link to the order">
            {(control) => (
              <TextInput {...control} readOnly value={url} onFocus={(e) => e.target.select()} />
            )}
          </Field>
        )}
      </div>
    </Dialog>
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
        fetchCall(CANCEL_ORDER, {
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
          defaultValue={when}
          options={ENDINGS.map((value) => ({ value, label: ENDING_LABELS[value] })).toReversed()}
          onChange={setWhen}
        />
      ) : (
        <p className="text-sm">It ends immediately because this month hasn’t been paid.</p>
      )}
    </OrderQuestion>
  );
}
