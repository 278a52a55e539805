import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ORDER_KEY } from '../orders/order.ts';
import { CardFields } from '../payments/card-fields.tsx';
import type { CardEntry, PaymentOutcome } from '../payments/provider-in-browser.ts';
import { CallError } from '../platform/fetch-call.ts';
import { type Cents, formatDollars } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { DialogFoot } from '../ui/dialog.tsx';
import { Checkbox, Field, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toast/toast.ts';
import type { CheckoutData } from './checkout-data.ts';
import {
  type BillingFields,
  type CheckoutSubmission,
  checkBilling,
  clearAttempt,
  orderBody,
  placeOrder,
  returnUrl,
  saveBilling,
  savedBilling,
} from './place-order.ts';

export interface PaymentFormProps extends Pick<CheckoutSubmission, 'plan' | 'choice' | 'price'> {
  /** The quote that is being paid. */
  quote?: { token: string; company: string | null };
  data: Pick<CheckoutData, 'provider' | 'tax' | 'mail'>;
  onBusy: (busy: boolean) => void;
  onAuthenticating: (open: boolean) => void;
}

const OPTIONAL: ReadonlySet<keyof BillingFields> = new Set(['phone', 'company']);

/** After four seconds the button says that the bank is being asked. */
function useBusyLabel(busy: boolean): string {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setTimeout(() => setSlow(true), 4_000);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return isSlow ? 'Asking your bank…' : 'Processing...';
}

export function PaymentForm(props: PaymentFormProps) {
  const { plan, choice, price, quote, data, onBusy, onAuthenticating } = props;
  const { provider, tax, mail } = data;
  const [fields, setFields] = useState(() => initialBilling(quote?.company));
  const [another, setAnother] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<keyof BillingFields, string>>>({});
  const [terms, setTerms] = useState<'open' | 'accepted' | 'missing'>('open');
  const form = useRef<HTMLFormElement>(null);
  const card = useRef<CardEntry>(null);
  const { busy, problem, alreadySubscribed, pay } = usePayment(onBusy);
  const busyLabel = useBusyLabel(busy);

  /** A field with an error is checked on every change, the others on submit. */
  function change(name: keyof BillingFields, text: string) {
    const changed = { ...fields, [name]: text };
    setFields(changed);
    saveBilling(changed);
    if (errors[name]) setErrors({ ...errors, [name]: checkBilling(changed, tax).errors[name] });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const billing = checkBilling(fields, tax);
    setErrors(billing.errors);
    const isCardValid = card.current?.check() ?? false;
    const first = Object.keys(billing.errors)[0];
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    if (terms !== 'accepted') setTerms('missing');
    if (!billing.value || !isCardValid || terms !== 'accepted' || !card.current) return;
    await pay({ plan, choice, price, quote, billing: billing.value, card: card.current, another });
  }

  const input = (name: keyof BillingFields, label: string, type: string, autoComplete: string) => (
    <Field label={label} optional={OPTIONAL.has(name)} error={errors[name]}>
      <TextInput
        type={type}
        name={name}
        autoComplete={autoComplete}
        required={!OPTIONAL.has(name)}
        maxLength={name === 'email' ? 254 : 100}
        value={fields[name]}
        onChange={({ target }) => change(name, target.value)}
      />
    </Field>
  );

  const notice = (problem || another) && (
    <>
      {problem && <Notice kind={alreadySubscribed ? 'warning' : 'error'}>{problem}</Notice>}
      {(alreadySubscribed || another) && (
        <Checkbox
          checked={another}
          onChange={({ target }) => setAnother(target.checked)}
          label="Yes, add a second subscription"
        />
      )}
    </>
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
      <CardFields ref={card} provider={provider} onAuthenticating={onAuthenticating} />
      <div>
        <Checkbox
          required
          checked={terms === 'accepted'}
          aria-invalid={terms === 'missing' || undefined}
          onChange={({ target }) => setTerms(target.checked ? 'accepted' : 'open')}
          label={
            <span>
              I accept the{' '}
              <a href="/terms-of-service" target="_blank" rel="noopener" className="underline">
                terms and conditions
              </a>
            </span>
          }
        />
        {terms === 'missing' && (
          <p role="alert" className="text-sm font-medium text-danger">
            Please accept the terms and conditions
          </p>
        )}
      </div>
      <ChargeTerms total={price.total} tax={tax} mail={mail} />
      <DialogFoot notice={notice}>
        <Button type="submit" size="large" busy={busy} className="w-full">
          {busy ? busyLabel : `Pay ${formatDollars(price.total)} per month`}
        </Button>
      </DialogFoot>
    </form>
  );
}

function initialBilling(quoteCompany: string | null | undefined): BillingFields {
  const empty = { name: '', email: '', phone: '', company: '', postalCode: '' };
  const billing = savedBilling() ?? empty;
  return { ...billing, company: billing.company || (quoteCompany ?? '') };
}

/** The terms of a recurring charge: how much, how often, until when, and how to cancel. */
function ChargeTerms({ total, tax, mail }: { total: Cents; tax: boolean; mail: boolean }) {
  const sum = `${formatDollars(total)}${tax ? ' plus the sales tax at your ZIP code' : ''}`;
  const ways = mail
    ? 'through the link in your receipt, by email, or by phone'
    : 'by email or phone';
  return (
    <p className="text-xs text-muted">
      {`${sum} is charged today and then every month until you cancel. Cancel ${ways} at any time; you keep service through the paid month.`}
    </p>
  );
}

interface PaymentState {
  busy: boolean;
  /** Why the last attempt failed. */
  problem: string | null;
  /** This buyer already subscribes to the plan and must confirm that they want a second one. */
  alreadySubscribed: boolean;
}

const EXPIRED = 'Your order timed out. Press Pay again.';
const NO_REASON = 'There was an error processing your payment';
const FAILED = `${NO_REASON}. Please try again.`;

/** Places the order, confirms the card, and goes to the return URL, or shows why it could not. */
function usePayment(onBusy: (busy: boolean) => void) {
  const [state, setState] = useState<PaymentState>({
    busy: false,
    problem: null,
    alreadySubscribed: false,
  });
  const update = (busy: boolean, problem: string | null, alreadySubscribed = false) => {
    setState({ busy, problem, alreadySubscribed });
    onBusy(busy);
  };

  async function pay(submission: CheckoutSubmission): Promise<void> {
    const { billing, card } = submission;
    update(true, null);
    try {
      const clientSecret = await placeOrder(orderBody(submission));
      const outcome = await card.confirm(clientSecret, billing).catch((cause: unknown) => {
        throw new Error('Payment processing failed', { cause });
      });
      if (outcome.kind === 'decided') window.location.assign(returnUrl(clientSecret));
      else showUnpaid(outcome);
    } catch (error) {
      showFailure(error instanceof Error ? error.cause : undefined);
    }
  }

  /** The bank or the provider has answered, but nothing is paid. */
  function showUnpaid(outcome: Exclude<PaymentOutcome, { kind: 'decided' }>) {
    const isExpired = outcome.kind === 'expired';
    if (isExpired) clearAttempt();
    const description = isExpired ? EXPIRED : outcome.message || NO_REASON;
    showToast({ title: 'Payment Error', description, variant: 'destructive' });
    update(false, description);
  }

  /** A call failed. */
  function showFailure(cause: unknown) {
    const refusal = cause instanceof CallError ? cause : undefined;
    if (hasErrorAt(refusal, ORDER_KEY)) clearAttempt();
    showToast({ title: 'Payment Failed', description: FAILED, variant: 'destructive' });
    update(false, refusal?.reason || FAILED, hasErrorAt(refusal, 'another'));
  }

  return { ...state, pay };
}

function hasErrorAt(refusal: CallError | undefined, field: string): boolean {
  return refusal?.errors.some(({ path }) => path === field) ?? false;
}
