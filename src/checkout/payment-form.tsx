import { useQueryClient } from '@tanstack/react-query';
import Lock from 'lucide-react/icons/lock';
import { type Ref, useRef, useState } from 'react';
import { type AddOnPrices, dueToday, hasOwnStart, type Price } from '../catalogue/pricing.ts';
import { ORDER_KEY } from '../orders/order.ts';
import { CardFields, TestMode, WhereCardGoes } from '../payments/card-fields.tsx';
import type { CardEntry } from '../payments/provider-in-browser.ts';
import { CallError, reasonOf } from '../platform/fetch-call.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import type { QuoteView } from '../quotes/quote-api.ts';
import { AddendumLink } from '../quotes/quote-view.tsx';
import { CONTENT_PATHS } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { DialogFoot } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { showError } from '../ui/toast/toast.ts';
import { useForm } from '../ui/use-form.tsx';
import { addOnPrices, type CheckoutData } from './checkout-data.ts';
import {
  type BillingFields,
  billingForm,
  type CheckoutSubmission,
  clearAttempt,
  orderBody,
  placeOrder,
  readBilling,
  returnUrl,
  saveBilling,
  savedBilling,
} from './place-order.ts';

const PAIR = 'grid items-start gap-x-3 gap-y-5 max-sm:gap-y-3.5 sm:grid-cols-2';

/** While the bank asks, its question is the last thing in the form. */
const NOT_ASKED = 'in-[form:has([data-asks])]:hidden';

export interface PaymentFormProps extends Pick<CheckoutSubmission, 'plan' | 'choice' | 'price'> {
  quote?: Pick<QuoteView, 'reference' | 'name' | 'company' | 'addendum'> & { token: string };
  data: Pick<CheckoutData, 'provider' | 'tax'>;
  onBusy?: (busy: boolean) => void;
  /** The page's prices are of another day: these are today's. */
  onPrices?: (prices: AddOnPrices) => void;
  onAuthenticating?: (open: boolean) => void;
}

const EXPIRED = 'Your order timed out. Press Pay again.';
const FAILED = 'There was an error processing your payment. Please try again.';
const NOT_PLACED = 'Failed to process payment';
const NOT_PAID = 'Payment processing failed';

export function PaymentForm(props: PaymentFormProps) {
  const { plan, choice, price, quote, data, onBusy, onPrices, onAuthenticating } = props;
  const { provider, tax } = data;
  const { mail } = useSite();
  const addendum = Boolean(quote?.addendum);
  const queryClient = useQueryClient();
  const [initial] = useState(() => {
    const saved = savedBilling();
    const { name = '', company } = quote ?? {};
    return { ...saved, name: saved.name || name, company: saved.company || (company ?? '') };
  });
  const [another, setAnother] = useState(false);
  const [terms, setTerms] = useState<Terms>('open');
  const card = useRef<CardEntry>(null);
  const cardBox = useRef<HTMLDivElement>(null);
  const termsBox = useRef<HTMLInputElement>(null);
  const { form, field, typed, errors, ...paying } = useForm({
    schema: billingForm(tax, addendum),
    read: readBilling,
    alsoValid() {
      const entered = card.current?.check() ?? false;
      if (terms === 'accepted') return entered;
      setTerms('missing');
      if (entered) termsBox.current?.focus();
      return false;
    },
    save: (_, billing) => pay(billing),
    onSaved(unpaid) {
      onBusy?.(false);
      showError(unpaid, 'Payment Error');
      // Once the toast has taken its room.
      requestAnimationFrame(() => cardBox.current?.scrollIntoView());
    },
    onFailed(error) {
      onBusy?.(false);
      const { errors = [] } = error instanceof CallError ? error : {};
      if (errors.some(({ path }) => path === ORDER_KEY)) clearAttempt();
      // Shows the new price, or that the quote is over, if that is why.
      if (error instanceof CallError && error.isOutdated) {
        void queryClient.invalidateQueries();
        const now = addOnPrices.safeParse(error.now);
        if (now.success) onPrices?.(now.data);
      }
      // What is refused for a reason is not mended by trying again.
      const isRefused = error instanceof CallError && error.status < 500 && error.reason !== '';
      if (isRefused) showError(error.reason, 'Payment Error');
      else showError(FAILED, 'Payment Failed');
    },
    failure: (error) =>
      error.message === NOT_PAID ? reasonOf(error.cause, NOT_PAID) : reasonOf(error, NOT_PLACED),
  });
  // The card fields show a refusal themselves.
  const problem = paying.problem ?? (paying.saved === EXPIRED ? EXPIRED : null);
  /** This buyer already subscribes to the plan and must confirm that they want a second one. */
  const alreadySubscribed = errors.another !== undefined;

  /** Goes on when the form is closed. Returns why nothing is paid, unless it leaves the page. */
  async function pay(billing: CheckoutSubmission['billing']): Promise<string> {
    const entry = card.current;
    if (!entry) throw new Error(NOT_PAID);
    onBusy?.(true);
    const order = orderBody({ plan, choice, price, quote, billing, another });
    const clientSecret = await placeOrder(order);
    const outcome = await entry.confirm(clientSecret, billing).catch((cause: unknown) => {
      throw new Error(NOT_PAID, { cause });
    });
    if (outcome.kind === 'refused') return outcome.message;
    if (outcome.kind === 'expired') {
      clearAttempt();
      return EXPIRED;
    }
    window.location.assign(returnUrl(clientSecret));
    // Busy until the page is left.
    return new Promise(() => undefined);
  }

  const input = (name: keyof BillingFields, label: string, type: string, autoComplete: string) =>
    field(label, name, {
      type,
      autoComplete,
      optional: name === 'phone' || name === 'company',
      required: name !== 'phone' && name !== 'company',
      defaultValue: initial[name],
      // The dialog opens before its form has loaded. On a quote's page the form is below its price.
      autoFocus: name === 'name' && !quote,
    });

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
      noValidate
      {...form}
      onChange={() => saveBilling(readBilling(typed))}
      aria-label="Payment"
      // Closer labels: on the usual phones the foot then begins between two rows.
      className="grid grid-cols-1 content-start gap-5 max-sm:gap-3.5 has-data-asks:**:data-dialog-foot:hidden [&_label]:leading-5"
    >
      <TestMode provider={provider} />
      <div className={PAIR}>
        {input('name', 'Name on Card', 'text', 'cc-name')}
        {input('email', 'Billing Email', 'email', 'email')}
      </div>
      {tax && input('postalCode', 'Billing ZIP Code', 'text', 'postal-code')}
      {addendum && input('title', 'Your Title', 'text', 'organization-title')}
      <div ref={cardBox}>
        <CardFields
          ref={card}
          provider={provider}
          savesQuotes={!quote}
          onAuthenticating={onAuthenticating}
        />
      </div>
      <div className={`${PAIR} ${NOT_ASKED} ${quote ? '' : 'min-[22rem]:grid-cols-2'}`}>
        {input('company', 'Company', 'text', 'organization')}
        {input('phone', 'Phone', 'tel', 'tel')}
      </div>
      <p className={`text-xs text-muted ${NOT_ASKED}`}>
        <WhereCardGoes provider={provider} />
        <span>
          {`Cancel anytime ${
            mail
              ? 'through the link in your receipt, by email, or by phone'
              : 'on your order page, by email, or by phone'
          }; you keep service through the paid month.`}
        </span>
      </p>
      <DialogFoot notice={notice}>
        <div>
          <TermsBox ref={termsBox} terms={terms} quote={quote} onChange={setTerms} />
          <p className="pl-8 text-[0.875rem] leading-snug text-ink">{chargeInWords(price, tax)}</p>
          {terms === 'missing' && (
            <p role="alert" className="mt-1 pl-8 text-xs font-medium text-danger">
              Please accept the terms and conditions
            </p>
          )}
        </div>
        <Button type="submit" size="large" busy={paying.sending} className="w-full max-sm:h-12">
          {paying.sending ? (
            'Processing...'
          ) : (
            <>
              <Lock className="size-4" />
              <span>{payInWords(price)}</span>
            </>
          )}
        </Button>
      </DialogFoot>
    </form>
  );
}

type Terms = 'open' | 'accepted' | 'missing';

interface TermsBoxProps {
  ref: Ref<HTMLInputElement>;
  terms: Terms;
  quote: PaymentFormProps['quote'];
  onChange: (terms: Terms) => void;
}

function TermsBox({ ref, terms, quote, onChange }: TermsBoxProps) {
  return (
    <Checkbox
      ref={ref}
      required
      checked={terms === 'accepted'}
      aria-invalid={terms === 'missing' || undefined}
      onChange={({ target }) => onChange(target.checked ? 'accepted' : 'open')}
      className="max-sm:-mb-2 sm:pt-4 sm:pb-0.5"
      label={
        <span>
          <span>{`I accept ${quote ? `quote ${quote.reference.replaceAll(' ', '\u00a0')} and ` : ''}the `}</span>
          <a
            href={CONTENT_PATHS.termsOfService}
            target="_blank"
            rel="noopener"
            className="underline"
          >
            terms and conditions
          </a>
          {quote?.addendum && (
            <>
              <span> and the </span>
              <AddendumLink target="_blank" rel="noopener" />
            </>
          )}
        </span>
      }
    />
  );
}

function payInWords(price: Price): string {
  if (!hasOwnStart(price)) return `Pay ${formatDollars(price.total)} per month`;
  const due = dueToday(price);
  return due > 0 ? `Pay ${formatDollars(due)} today` : 'Save card and accept';
}

/** What is charged at once, and from when on each month. */
function chargeInWords(price: Price, tax: boolean): string {
  const plusTax = tax ? ' plus the sales tax at your ZIP code' : '';
  const month = `${formatDollars(price.total)}${plusTax}`;
  if (!hasOwnStart(price))
    return `${month} is charged today and then every month until you cancel.`;
  const due = dueToday(price);
  const today =
    due > 0
      ? `${formatDollars(due)}${plusTax} is charged today.`
      : 'Your card is saved, and nothing is charged today.';
  const from = price.startsOn
    ? `From ${formatDate(price.startsOn)} on,`
    : 'From the second month on,';
  return `${today} ${from} ${month} is charged every month until you cancel.`;
}
