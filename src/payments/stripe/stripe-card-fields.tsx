/** Stripe's own card fields in the look of ours: what is typed into them never reaches this page. */

import {
  CardCvcElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js';
import type { Stripe, StripeElementStyle } from '@stripe/stripe-js';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { TryAgain } from '../../ui/button.tsx';
import { CONTROL, Field } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { themeColour, useShownTheme } from '../../ui/theme-choice.tsx';
import type { CardEntry } from '../payment-api.ts';
import { confirmCard, stripeJs } from './stripe-js.ts';

interface StripeCardFieldsProps {
  ref: Ref<CardEntry>;
  /** While the bank asks, what stands above the page must let Stripe's window through. */
  onAsking: (asking: boolean) => void;
}

/** For a payment, and for a card that is to replace another: the secret that is confirmed says which. */
export function StripeCardFields({ ref, onAsking }: StripeCardFieldsProps) {
  /** Null while it is loading. */
  const [stripe, setStripe] = useState<Stripe | 'unavailable' | null>(null);

  useEffect(() => {
    if (!stripe) stripeJs().then(setStripe, () => setStripe('unavailable'));
  }, [stripe]);

  return (
    <div>
      {stripe === 'unavailable' ? (
        <Notice kind="error">
          <p>We couldn’t load the card form.</p>
          <TryAgain onClick={() => setStripe(null)} />
        </Notice>
      ) : (
        <Elements stripe={stripe}>
          <CardFields ref={ref} onAsking={onAsking} />
        </Elements>
      )}
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

function CardFields({ ref, onAsking }: StripeCardFieldsProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [faults, setFaults] = useState<Partial<Record<Part, string | undefined>>>({});
  const complete = useRef<Partial<Record<Part, boolean>>>({});

  useImperativeHandle(ref, () => ({
    check() {
      const missing = ORDER.filter((part) => !complete.current[part]);
      setFaults(
        Object.fromEntries(missing.map((part) => [part, faults[part] ?? PARTS[part].missing])),
      );
      const [first] = missing;
      if (first) focus(first);
      return !first;
    },
    async confirm(clientSecret, billing) {
      const card = elements?.getElement(CardNumberElement);
      if (!stripe || !card) throw new Error('the card fields are not ready');
      return await confirmCard(clientSecret, {
        stripe,
        card,
        billing,
        onAsking: (asking) => flushSync(() => onAsking(asking)),
      });
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
      fault={faults[part]}
      onChange={(isComplete, fault) => {
        complete.current[part] = isComplete;
        setFaults((known) => ({ ...known, [part]: fault }));
      }}
    />
  );

  return (
    <div className="grid gap-4">
      {field('number')}
      <div className="grid grid-cols-2 gap-4">
        {field('expiry')}
        {field('cvv')}
      </div>
    </div>
  );
}

interface CardFieldProps {
  part: Part;
  fault: string | undefined;
  onChange: (complete: boolean, fault: string | undefined) => void;
}

function CardField({ part, fault, onChange }: CardFieldProps) {
  const [focused, setFocused] = useState(false);
  useShownTheme();
  const style = elementStyle();
  const box = useRef<HTMLDivElement>(null);
  const { Element, label } = PARTS[part];
  const options = part === 'number' ? { showIcon: true, disableLink: true } : {};
  const edge = fault ? 'border-2 border-danger' : '';
  const ring = focused ? 'outline-2 outline-offset-3 outline-primary' : '';
  return (
    <Field label={label} error={fault}>
      {({ id }) => (
        // Stripe's frames are light; where the page around them is dark, browsers would paint them white.
        <div ref={box} className={`${CONTROL} scheme-light grid h-12 items-center ${edge} ${ring}`}>
          <Element
            id={id}
            options={{ style, ...options }}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={({ complete, error }) => onChange(complete, error?.message)}
            onEscape={() => box.current?.closest('dialog')?.close()}
          />
        </div>
      )}
    </Field>
  );
}

/** Stripe draws inside its frames what is set here; the values are those of our own theme. */
function elementStyle(): StripeElementStyle {
  return {
    base: {
      fontFamily: 'system-ui, sans-serif',
      fontSize: '17px',
      color: themeColour('ink'),
      iconColor: themeColour('primary'),
      '::placeholder': { color: themeColour('muted') },
    },
    invalid: { color: themeColour('danger'), iconColor: themeColour('danger') },
  };
}
