import ChevronDown from 'lucide-react/icons/chevron-down';
import CreditCard from 'lucide-react/icons/credit-card';
import { Suspense, useEffect, useState } from 'react';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { dueToday, hasOwnStart, type Price } from '../catalogue/pricing.ts';
import { whenIdle } from '../platform/browser/when-idle.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureBoundary, lazyWithRetry } from '../ui/failure-boundary.tsx';
import { LargeAmount } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { NextStep } from './next-step.tsx';
import type { PaymentFormProps } from './payment-form.tsx';

const loadForm = async () => (await import('./payment-form.tsx')).PaymentForm;
const PaymentForm = lazyWithRetry(loadForm);

interface PaymentDialogProps extends Omit<PaymentFormProps, 'onAuthenticating'> {
  open: boolean;
  plan: { id: number; name: string };
  onClose: () => void;
}

export function PaymentDialog({ open, onClose, ...purchase }: PaymentDialogProps) {
  const { plan, price } = purchase;
  const [authenticating, setAuthenticating] = useState(false);
  // Preloaded. If this fails, the dialog tries again when it opens and shows the failure.
  useEffect(() => whenIdle(() => loadForm().catch(() => undefined)), []);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Complete Your Purchase"
      subtitle="Enter your payment details to proceed."
      beside={<PaymentMethod />}
      wide
      aside={authenticating}
    >
      <div className="grid grid-cols-1 gap-x-16 gap-y-6 max-sm:gap-y-4 sm:**:data-dialog-foot:pb-7 lg:grid-cols-[22rem_minmax(0,1fr)] lg:**:data-dialog-foot:mx-0 lg:**:data-dialog-foot:px-0">
        <OrderInBrief plan={plan} price={price} onChange={onClose} />
        <PaymentFields {...purchase} onAuthenticating={setAuthenticating} />
      </div>
    </Dialog>
  );
}

/** The form, once it has loaded. */
export function PaymentFields(props: PaymentFormProps) {
  return (
    <FailureBoundary>
      <Suspense
        fallback={
          <div className="grid gap-12 py-6">
            {['name', 'email', 'card', 'company', 'phone'].map((field) => (
              <Skeleton key={field} className="h-12 w-full" />
            ))}
          </div>
        }
      >
        <PaymentForm {...props} />
      </Suspense>
    </FailureBoundary>
  );
}

function PaymentMethod() {
  return (
    <p className="flex items-center gap-2 text-sm text-ink lg:leading-7.5">
      <CreditCard className="size-4.5 text-primary" />
      <span>
        <span className="text-muted">Payment method:</span> Credit card
      </span>
    </p>
  );
}

interface OrderInBriefProps {
  plan: { name: string };
  price: Price;
  onChange: () => void;
}

/** On a phone the form comes first: the rest is on the page that opened it, or at the button. */
function OrderInBrief({ plan, price, onChange }: OrderInBriefProps) {
  const [open, setOpen] = useState(false);
  return (
    <div data-panel className="flex flex-col text-sm max-lg:pt-2 lg:-mt-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <div className="min-w-0 flex-[1_1_7rem]">
          <p id="selected-plan" className="leading-5 font-medium text-ink">
            <span className="font-normal text-muted">Selected plan: </span>
            <span>{plan.name}</span>
          </p>
          {!hasOwnStart(price) && (
            <button
              type="button"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className="group relative -mx-2 flex items-center gap-1.5 rounded-control px-2 text-base font-semibold text-ink tabular-nums -outline-offset-2 before:absolute before:inset-x-0 before:-inset-y-2 lg:hidden"
            >
              <span>{`${formatDollars(price.total)} a month`}</span>
              <ChevronDown className="size-4.5 text-primary transition-transform duration-150 group-aria-expanded:rotate-180" />
            </button>
          )}
        </div>
        <button
          type="button"
          onClick={onChange}
          aria-describedby="selected-plan"
          className="min-h-11 font-medium text-primary underline underline-offset-4"
        >
          Change
        </button>
      </div>
      <div className={open || hasOwnStart(price) ? 'max-lg:pt-2' : 'max-lg:hidden'}>
        {!hasOwnStart(price) && (
          <div className="mt-2 max-lg:hidden">
            <p className="text-muted">Due today</p>
            <LargeAmount amount={dueToday(price)} />
          </div>
        )}
        <div className="lg:mt-6">
          <PriceBreakdown price={price} withTotal due="Due today" />
        </div>
      </div>
      <p className="mt-5 max-lg:hidden">
        Questions? Call <CompanyPhone className="text-primary" />.
      </p>
      <WhatHappensNext />
    </div>
  );
}

function WhatHappensNext() {
  const { mail } = useSite();
  return (
    // A toast takes its place.
    <div className="mt-5 border-t border-line pt-5 pb-2 max-lg:hidden in-[dialog:has([data-variant])]:invisible">
      <h3 className="mb-3 text-sm">What happens next</h3>
      <ol>
        <NextStep title="Today">
          {mail ? 'Your receipt comes by email.' : 'Your receipt, and a link to your order.'}
        </NextStep>
        <NextStep title="Within one business day">We contact you to begin.</NextStep>
      </ol>
    </div>
  );
}

const ENTRY = { dialog: 'payment' };

/** Gives the dialog a history entry, so that a phone's back button closes it. */
export function useDialogEntry() {
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const follow = () => setOpen(false);
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);

  return {
    open,
    show() {
      window.history.pushState(ENTRY, '');
      setOpen(true);
    },
    hide() {
      if (open && window.history.state?.dialog === ENTRY.dialog) window.history.back();
      else setOpen(false);
    },
  };
}
