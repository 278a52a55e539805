/** Stripe's card fields in the site's style: this page never sees what is typed into them. */
import {
  CardCvcElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js';
import type { Stripe, StripeElementStyle } from '@stripe/stripe-js';
import { useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { reportFailedPart } from '../../platform/failure-report.ts';
import { useSite } from '../../platform/site.ts';
import { TryAgainButton } from '../../ui/button.tsx';
import { CARD_ROW, CONTROL, ERROR_ACROSS, Field } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { themeColor, useShownTheme } from '../../ui/theme-choice.tsx';
import { showError } from '../../ui/toast/toast.ts';
import type { CardEntry, CardFieldsProps, ProviderInBrowser } from '../provider-in-browser.ts';
import { confirmCard } from './confirm-card.ts';
import {
  continuePayment,
  retrieveStatus,
  STRIPE_PATIENCE_MS,
  StripeBlocked,
  stripeJs,
} from './stripe-js.ts';

/** For a first payment and for replacing a card; the client secret decides which. */
function StripeCardFields({ ref, savesQuotes, onAuthenticating }: CardFieldsProps) {
  const { phone } = useSite().company;
  const [attempt, setAttempt] = useState(1);
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [isReady, setReady] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const entry = useRef<CardEntry>(null);
  /** Outlives a form that is closed while it pays. */
  const checked = useRef<CardEntry>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each attempt
  useEffect(() => {
    if (isReady) return undefined;
    const fail = (cause: unknown) => {
      reportFailedPart(cause);
      setFailure(
        cause instanceof StripeBlocked
          ? blocked('js.stripe.com')
          : 'We couldn’t load the card form.',
      );
    };
    stripeJs().then(setStripe, fail);
    const timer = setTimeout(() => fail(new StripeBlocked('no frames')), STRIPE_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [attempt, isReady]);

  const blocked = (host: string) =>
    `An ad blocker or your network may be blocking our card processor, Stripe. Allow ${host} and try again${savesQuotes ? ', or save this as a quote' : ''}, or call ${phone.display}.`;

  useImperativeHandle(ref, () => ({
    check() {
      checked.current = entry.current;
      if (isReady && checked.current) return checked.current.check();
      showError(
        failure ?? 'The card form is still loading. Please wait a moment.',
        'Payment Error',
      );
      return false;
    },
    async confirm(clientSecret, billing) {
      if (!checked.current) throw new Error('the card fields are not ready');
      return checked.current.confirm(clientSecret, billing);
    },
  }));

  function tryAgain() {
    setFailure(null);
    setStripe(null);
    setAttempt(attempt + 1);
  }

  // Fields that are late are hidden and not removed: once they are there, they take the place.
  return (
    <div>
      {failure && !isReady && (
        <Notice kind="error">
          <p>{failure}</p>
          <TryAgainButton onClick={tryAgain} />
        </Notice>
      )}
      <div hidden={failure !== null && !isReady}>
        <Elements key={attempt} stripe={stripe}>
          <Fields
            ref={entry}
            unreachable={blocked('api.stripe.com')}
            onAuthenticating={onAuthenticating}
            onReady={() => setReady(true)}
          />
        </Elements>
      </div>
    </div>
  );
}

const PARTS = {
  number: {
    Element: CardNumberElement,
    label: 'Card Number',
    missing: 'Please enter your card number',
  },
  expiry: {
    Element: CardExpiryElement,
    label: 'Expiry Date',
    missing: 'Please enter the expiry date',
  },
  cvv: { Element: CardCvcElement, label: 'CVV', missing: 'Please enter your CVV' },
};
type Part = keyof typeof PARTS;
const ORDER: readonly Part[] = ['number', 'expiry', 'cvv'];

interface FieldsProps extends Pick<CardFieldsProps, 'ref' | 'onAuthenticating'> {
  unreachable: string;
  onReady: () => void;
}

function Fields({ ref, unreachable, onAuthenticating, onReady }: FieldsProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [errors, setErrors] = useState<Partial<Record<Part, string>>>({});
  const complete = useRef<Partial<Record<Part, boolean>>>({});
  const ready = useRef(new Set<Part>());

  useImperativeHandle(ref, () => ({
    check() {
      const missing = ORDER.filter((part) => !complete.current[part]);
      setErrors(
        Object.fromEntries(missing.map((part) => [part, errors[part] ?? PARTS[part].missing])),
      );
      const [first] = missing;
      if (first) focus(first);
      return !first;
    },
    async confirm(clientSecret, billing) {
      const card = elements?.getElement(CardNumberElement);
      if (!stripe || !card) throw new Error('the card fields are not ready');
      const outcome = await confirmCard(clientSecret, {
        stripe,
        card,
        billing,
        unreachable,
        onAuthenticating: (open) => flushSync(() => onAuthenticating?.(open)),
      });
      if (outcome.kind === 'refused') setErrors({ number: outcome.message });
      return outcome;
    },
  }));

  function focus(part: Part) {
    if (part === 'number') elements?.getElement(CardNumberElement)?.focus();
    if (part === 'expiry') elements?.getElement(CardExpiryElement)?.focus();
    if (part === 'cvv') elements?.getElement(CardCvcElement)?.focus();
  }

  const field = (part: Part) => (
    <CardField
      part={part}
      error={errors[part]}
      onReady={() => {
        if (ready.current.add(part).size === ORDER.length) onReady();
      }}
      onChange={(isComplete, error) => {
        complete.current[part] = isComplete;
        setErrors((current) => ({ ...current, [part]: error }));
      }}
    />
  );

  return (
    <div className={CARD_ROW}>
      <div className={`max-sm:col-span-2 ${errors.expiry || errors.cvv ? '' : ERROR_ACROSS}`}>
        {field('number')}
      </div>
      {field('expiry')}
      {field('cvv')}
    </div>
  );
}

interface CardFieldProps {
  part: Part;
  error: string | undefined;
  onReady: () => void;
  onChange: (complete: boolean, error: string | undefined) => void;
}

function CardField({ part, error, onReady, onChange }: CardFieldProps) {
  const [focused, setFocused] = useState(false);
  useShownTheme();
  const style = elementStyle();
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { Element, label } = PARTS[part];
  const options = part === 'number' ? { showIcon: true, disableLink: true } : {};
  const edge = error ? 'border-2 border-danger' : '';
  const color = error ? 'outline-danger ring-3 ring-danger/30' : 'outline-primary';
  const ring = focused ? `outline-2 -outline-offset-2 ${color}` : '';
  return (
    <Field label={label} id={id} error={error}>
      {/* Stripe's iframes are light: with a dark `color-scheme`, browsers paint them opaque. */}
      <div ref={box} className={`${CONTROL} scheme-light grid h-12 items-center ${edge} ${ring}`}>
        <Element
          id={id}
          options={{ style, ...options }}
          onReady={onReady}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onChange={({ complete, error }) => onChange(complete, error?.message)}
          onEscape={() => box.current?.closest('dialog')?.close()}
        />
      </div>
    </Field>
  );
}

/** Stripe applies this style inside its iframes, where our CSS does not reach. */
function elementStyle(): StripeElementStyle {
  return {
    base: {
      fontFamily: 'system-ui, sans-serif',
      fontSize: '17px',
      color: themeColor('ink'),
      iconColor: themeColor('primary'),
      '::placeholder': { color: themeColor('muted') },
    },
    invalid: { color: themeColor('danger'), iconColor: themeColor('danger') },
  };
}

export const STRIPE_IN_BROWSER: ProviderInBrowser = {
  CardFields: StripeCardFields,
  retrieveStatus,
  continuePayment,
};
