import CreditCard from 'lucide-react/icons/credit-card';
import { useState } from 'react';
import type { InDollars, Plan } from '../catalogue/catalogue.ts';
import type { Choice, Price } from '../catalogue/pricing.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PaymentForm } from './payment-form.tsx';

interface PaymentDialogProps {
  open: boolean;
  plan: InDollars<Plan> | undefined;
  choice: Choice;
  price: Price | undefined;
  provider: 'test' | 'stripe';
  tax: boolean;
  onClose: () => void;
  onBusy: (busy: boolean) => void;
}

export function PaymentDialog(props: PaymentDialogProps) {
  const { open, plan, choice, price, provider, tax, onClose, onBusy } = props;
  const [asking, setAsking] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Complete Your Purchase"
      subtitle="Enter your payment details to proceed."
      aside={asking}
    >
      {plan && (
        <p className="flex items-center justify-between gap-4 rounded-control bg-paper px-4 py-3 text-sm">
          <span className="text-ink">
            <span className="text-muted">Selected plan: </span>
            {plan.name}
          </span>
          <button
            type="button"
            onClick={onClose}
            className="min-h-11 font-medium text-primary underline"
          >
            Change<span className="sr-only"> the plan</span>
          </button>
        </p>
      )}
      <p className="mt-4 mb-5 flex items-center gap-2 text-sm text-ink">
        <CreditCard className="size-5 text-primary" />
        <span className="text-muted">Payment method:</span> Credit card
      </p>
      <PaymentForm
        plan={plan}
        choice={choice}
        price={price}
        provider={provider}
        tax={tax}
        onBusy={onBusy}
        onAsking={setAsking}
      />
    </Dialog>
  );
}
