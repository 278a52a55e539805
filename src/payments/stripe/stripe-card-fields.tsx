/** Stripe's card fields in the site's style: this page never sees what is typed into them. */
import {
  CardCvcElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js';
import type {
  Stripe,
  StripeCardCvcElementChangeEvent,
  StripeCardExpiryElementChangeEvent,
  StripeCardNumberElementChangeEvent,
  StripeElementStyle,
} from '@stripe/stripe-js';
import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { reportFailedPart } from '../../platform/failure-report.ts';
import { useSite } from '../../platform/site.ts';
import { TryAgainButton } from '../../ui/button.tsx';
import { CONTROL } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { themeColor, useShownTheme } from '../../ui/theme-choice.tsx';
import { showError } from '../../ui/toast/toast.ts';
import { CARD_PARTS, type CardErrors, CardGroup, type CardPart } from '../card-group.tsx';
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

  // In the fields' place, so that nothing moves: once they are there, they take it back.
  return (
    <div className="grid grid-cols-1 *:[grid-area:1/1]">
      {failure && !isReady && (
        <Notice kind="error" className="items-center py-2! text-xs!">
          <span>{failure}</span>{' '}
          <TryAgainButton
            variant="link"
            size="text"
            className="-my-3 text-xs!"
            onClick={tryAgain}
          />
        </Notice>
      )}
      <div className={failure && !isReady ? 'invisible' : ''}>
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
    options: { disableLink: true },
    missing: 'Please enter your card number',
  },
  expiry: {
    Element: CardExpiryElement,
    options: { placeholder: 'MM/YY' },
    missing: 'Please enter the expiry date',
  },
  cvv: {
    Element: CardCvcElement,
    options: { placeholder: 'CVV' },
    missing: 'Please enter your CVV',
  },
};

interface FieldsProps extends Pick<CardFieldsProps, 'ref' | 'onAuthenticating'> {
  unreachable: string;
  onReady: () => void;
}

function Fields({ ref, unreachable, onAuthenticating, onReady }: FieldsProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [errors, setErrors] = useState<CardErrors>({});
  const [brand, setBrand] = useState<string>();
  const complete = useRef<Partial<Record<CardPart, boolean>>>({});
  const ready = useRef(new Set<CardPart>());

  useImperativeHandle(ref, () => ({
    check() {
      const missing = CARD_PARTS.filter((part) => !complete.current[part]);
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

  function focus(part: CardPart) {
    if (part === 'number') elements?.getElement(CardNumberElement)?.focus();
    if (part === 'expiry') elements?.getElement(CardExpiryElement)?.focus();
    if (part === 'cvv') elements?.getElement(CardCvcElement)?.focus();
  }

  return (
    <CardGroup errors={errors} brand={brand}>
      {(part, id, edges) => (
        <CardField
          part={part}
          id={id}
          edges={edges}
          isWrong={errors[part] !== undefined}
          onReady={() => {
            if (ready.current.add(part).size === CARD_PARTS.length) onReady();
          }}
          onChange={({ complete: isComplete, error, ...event }) => {
            complete.current[part] = isComplete;
            if (event.elementType === 'cardNumber') setBrand(event.brand);
            setErrors((current) => ({ ...current, [part]: error?.message }));
          }}
        />
      )}
    </CardGroup>
  );
}

interface CardFieldProps {
  part: CardPart;
  id: string;
  edges: string;
  isWrong: boolean;
  onReady: () => void;
  onChange: (
    event:
      | StripeCardNumberElementChangeEvent
      | StripeCardExpiryElementChangeEvent
      | StripeCardCvcElementChangeEvent,
  ) => void;
}

function CardField({ part, id, edges, isWrong, onReady, onChange }: CardFieldProps) {
  const [focused, setFocused] = useState(false);
  useShownTheme();
  const style = elementStyle();
  const box = useRef<HTMLDivElement>(null);
  const { Element, options } = PARTS[part];
  const edge = isWrong ? 'border-2 border-danger' : '';
  const color = isWrong ? 'outline-danger ring-3 ring-danger/30' : 'outline-primary';
  const ring = focused ? `z-1 outline-2 -outline-offset-2 ${color}` : '';
  // Stripe's iframes are light: with a dark `color-scheme`, browsers paint them opaque.
  return (
    <div
      ref={box}
      className={`${CONTROL} scheme-light grid h-12 items-center ${edges} ${edge} ${ring}`}
    >
      <Element
        id={id}
        options={{ style, ...options }}
        onReady={onReady}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onChange={onChange}
        onEscape={() => box.current?.closest('dialog')?.close()}
      />
    </div>
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
