import { type FormEvent, useRef, useState } from 'react';
import type { Choice, Price } from '../catalogue/pricing.ts';
import type { CardEntry } from '../payment/payment-outcome.ts';
import { TestCardFields } from '../payment/test-card-fields.tsx';
import { formatDollars } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { type BillingFields, checkBilling } from './billing.ts';
import { usePayment } from './use-payment.ts';

interface PaymentFormProps {
  plan: { id: number } | undefined;
  choice: Choice;
  price: Price | undefined;
  provider: 'test' | 'stripe';
  onBusy: (busy: boolean) => void;
}

export function PaymentForm({ plan, choice, price, onBusy }: PaymentFormProps) {
  const [fields, setFields] = useState<BillingFields>({ name: '', email: '', phone: '' });
  const [faults, setFaults] = useState<Partial<Record<keyof BillingFields, string>>>({});
  const [terms, setTerms] = useState<'open' | 'accepted' | 'missing'>('open');
  const form = useRef<HTMLFormElement>(null);
  const card = useRef<CardEntry>(null);
  const { busy, problem, pay } = usePayment(onBusy);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const billing = checkBilling(fields);
    setFaults(billing.faults);
    const cardFine = card.current?.check() ?? false;
    const first = Object.keys(billing.faults)[0];
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    if (terms !== 'accepted') setTerms('missing');
    if (!billing.value || !cardFine || terms !== 'accepted' || !card.current) return;
    await pay({ plan, choice, price, billing: billing.value, card: card.current });
  }

  const input = (name: keyof BillingFields, label: string, type: string, autoComplete: string) => (
    <Field label={label} error={faults[name]}>
      {(control) => (
        <TextInput
          {...control}
          type={type}
          name={name}
          autoComplete={autoComplete}
          required={name !== 'phone'}
          maxLength={name === 'email' ? 254 : 100}
          value={fields[name]}
          onChange={({ target }) => setFields({ ...fields, [name]: target.value })}
        />
      )}
    </Field>
  );

  return (
    <form ref={form} noValidate onSubmit={submit} aria-label="Payment" className="grid gap-4">
      {input('name', 'Name on Card', 'text', 'cc-name')}
      <div className="grid gap-4 sm:grid-cols-[3fr_2fr]">
        {input('email', 'Billing Email', 'email', 'email')}
        {input('phone', 'Phone (optional)', 'tel', 'tel')}
      </div>
      <TestCardFields ref={card} />
      <div>
        <Checkbox
          required
          checked={terms === 'accepted'}
          aria-invalid={terms === 'missing' || undefined}
          onChange={({ target }) => setTerms(target.checked ? 'accepted' : 'open')}
          label={
            <>
              I accept the{' '}
              <a href="/terms-of-service" target="_blank" rel="noopener" className="underline">
                terms and conditions
              </a>
            </>
          }
        />
        {terms === 'missing' && (
          <p role="alert" className="text-sm font-medium text-danger">
            Please accept the terms and conditions
          </p>
        )}
      </div>
      {problem && <Notice kind="error">{problem}</Notice>}
      <Button type="submit" size="large" busy={busy} disabled={!plan} className="w-full">
        {busy ? 'Processing...' : `Pay ${price ? formatDollars(price.total) : ''} per month`}
      </Button>
      <p className="text-xs text-muted">
        {price &&
          `${formatDollars(price.total)} is charged today and then every month until you cancel. `}
        Cancel by e-mail or phone at any time; the month that has been paid stays yours.
      </p>
    </form>
  );
}
