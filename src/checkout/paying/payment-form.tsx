import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import type { CardEntry } from '../../orders/payment.ts';
import { TestCardFields } from '../../payment/test-gateway/test-card-fields.tsx';
import { type Cents, formatDollars } from '../../platform/money.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFoot } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { CheckoutData } from '../checkout-data.ts';
import { type BillingFields, checkBilling, type Purchase } from '../place-order.ts';
import { usePayment } from './use-payment.ts';

export interface PaymentFormProps extends Pick<Purchase, 'plan' | 'choice' | 'price'> {
  /** The quote that is paid, and the company that it names. */
  quote?: { token: string; company: string | null };
  data: Pick<CheckoutData, 'provider' | 'tax' | 'receipts'>;
  onBusy: (busy: boolean) => void;
  onAsking: (asking: boolean) => void;
}

/** Loaded when the form opens with Stripe as the provider, and never with the test gateway. */
const StripeCardFields = lazy(async () => ({
  default: (await import('../../payment/stripe/stripe-card-fields.tsx')).StripeCardFields,
}));

const OPTIONAL: ReadonlySet<keyof BillingFields> = new Set(['phone', 'company']);

export function PaymentForm(props: PaymentFormProps) {
  const { plan, choice, price, quote, data, onBusy, onAsking } = props;
  const { provider, tax, receipts } = data;
  const [fields, setFields] = useState<BillingFields>({
    name: '',
    email: '',
    phone: '',
    company: quote?.company ?? '',
    postalCode: '',
  });
  const [another, setAnother] = useState(false);
  const [faults, setFaults] = useState<Partial<Record<keyof BillingFields, string>>>({});
  const [terms, setTerms] = useState<'open' | 'accepted' | 'missing'>('open');
  const form = useRef<HTMLFormElement>(null);
  const card = useRef<CardEntry>(null);
  const { busy, problem, doubled, pay } = usePayment(onBusy);

  /** What was refused is looked at again as it changes; what nobody has sent yet is not judged. */
  function change(name: keyof BillingFields, text: string) {
    const changed = { ...fields, [name]: text };
    setFields(changed);
    if (faults[name]) setFaults({ ...faults, [name]: checkBilling(changed, tax).faults[name] });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const billing = checkBilling(fields, tax);
    setFaults(billing.faults);
    const cardFine = card.current?.check() ?? false;
    const first = Object.keys(billing.faults)[0];
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    if (terms !== 'accepted') setTerms('missing');
    if (!billing.value || !cardFine || terms !== 'accepted' || !card.current) return;
    await pay({ plan, choice, price, quote, billing: billing.value, card: card.current, another });
  }

  const input = (name: keyof BillingFields, label: string, type: string, autoComplete: string) => (
    <Field label={label} optional={OPTIONAL.has(name)} error={faults[name]}>
      {(control) => (
        <TextInput
          {...control}
          type={type}
          name={name}
          autoComplete={autoComplete}
          required={!OPTIONAL.has(name)}
          maxLength={name === 'email' ? 254 : 100}
          value={fields[name]}
          onChange={({ target }) => change(name, target.value)}
        />
      )}
    </Field>
  );

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      aria-label="Payment"
      className="grid gap-4 lg:gap-3"
    >
      {input('name', 'Name on Card', 'text', 'cc-name')}
      {input('email', 'Billing Email', 'email', 'email')}
      <div className="grid gap-4 sm:grid-cols-[3fr_2fr]">
        {input('company', 'Company', 'text', 'organization')}
        {input('phone', 'Phone', 'tel', 'tel')}
      </div>
      {tax && input('postalCode', 'Billing ZIP Code', 'text', 'postal-code')}
      {provider === 'stripe' ? (
        <Suspense fallback={<CardFieldsSkeleton />}>
          <StripeCardFields ref={card} onAsking={onAsking} />
        </Suspense>
      ) : (
        <TestCardFields ref={card} />
      )}
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
      {price && <ChargeTerms total={price.total} tax={tax} byLink={receipts} />}
      <DialogFoot>
        {problem && <Notice kind={doubled ? 'warning' : 'error'}>{problem}</Notice>}
        {(doubled || another) && (
          <Checkbox
            checked={another}
            onChange={({ target }) => setAnother(target.checked)}
            label="Yes, add a second subscription"
          />
        )}
        <Button type="submit" size="large" busy={busy} disabled={!plan} className="w-full">
          {busy ? 'Processing...' : `Pay ${price ? formatDollars(price.total) : ''} per month`}
        </Button>
      </DialogFoot>
    </form>
  );
}

/** What will be charged, how often, until when, and how to end it. */
function ChargeTerms({ total, tax, byLink }: { total: Cents; tax: boolean; byLink: boolean }) {
  const sum = `${formatDollars(total)}${tax ? ' plus the sales tax at your ZIP code' : ''}`;
  const ways = `${byLink ? 'through the link in your receipt, ' : ''}by email or phone`;
  return (
    <p className="text-xs text-muted">
      {sum} is charged today and then every month until you cancel. Cancel {ways} at any time; you
      keep service through the paid month.
    </p>
  );
}

function CardFieldsSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <p className="sr-only" role="status">
        Loading the card form
      </p>
      <Skeleton className="mt-8 h-12 w-full" />
      <div className="grid grid-cols-2 gap-4">
        <Skeleton className="mt-8 h-12 w-full" />
        <Skeleton className="mt-8 h-12 w-full" />
      </div>
    </div>
  );
}
