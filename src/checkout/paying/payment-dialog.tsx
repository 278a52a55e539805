import { useState } from 'react';
import type { Choice, Price } from '../../catalogue/pricing.ts';
import type { Provider } from '../../orders/payment.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureBoundary } from '../../ui/failure-boundary.tsx';
import { OrderInBrief } from '../order-in-brief.tsx';
import { PaymentForm } from './payment-form.tsx';

interface PaymentDialogProps {
  open: boolean;
  plan: { id: number; name: string } | undefined;
  choice: Choice;
  price: Price | undefined;
  /** The quote that is paid, and the company that it names. */
  quote?: { token: string; company: string | null };
  provider: Provider;
  tax: boolean;
  receipts: boolean;
  onClose: () => void;
  onBusy: (busy: boolean) => void;
}

export function PaymentDialog(props: PaymentDialogProps) {
  const { open, plan, choice, price, quote, provider, tax, receipts, onClose, onBusy } = props;
  const [asking, setAsking] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Complete Your Purchase"
      subtitle="Enter your payment details to proceed."
      wide
      aside={asking}
    >
      <FailureBoundary>
        <div className="grid grid-cols-1 items-start gap-x-10 gap-y-6 lg:grid-cols-[4fr_5fr]">
          {plan && price && <OrderInBrief plan={plan} price={price} onChange={onClose} />}
          <PaymentForm
            plan={plan}
            choice={choice}
            price={price}
            quote={quote}
            provider={provider}
            tax={tax}
            receipts={receipts}
            onBusy={onBusy}
            onAsking={setAsking}
          />
        </div>
      </FailureBoundary>
    </Dialog>
  );
}
