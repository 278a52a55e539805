/**
 * Stripe in the browser: loads Stripe.js on first use, shows Stripe's card fields in the site's style, and confirms payments and
 * cards. The fields are Stripe's iframes, so this page never sees what is typed into them.
 */
import {
  CardCvcElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js';
import type {
  PaymentIntent,
  SetupIntent,
  Stripe,
  StripeCardNumberElement,
  StripeElementStyle,
  StripeError,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PaymentStatus, RetrievedStatus } from '../../orders/order.ts';
import { fetchCall } from '../../platform/fetch-call.ts';
import { TryAgainButton } from '../../ui/button.tsx';
import { CONTROL, Field } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { themeColor, useShownTheme } from '../../ui/theme-choice.tsx';
import {
  type Billing,
  type CardEntry,
  GET_PAYMENT_CONFIG,
  type PaymentOutcome,
} from '../payment-api.ts';

interface StripeCardFieldsProps {
  ref: Ref<CardEntry>;
  /** Called with true while Stripe's 3-D Secure window is open: a modal dialog would cover it. */
  onAuthenticating?: (open: boolean) => void;
}

/** Takes cards for a first payment and for replacing a card; the client secret that is confirmed decides which. */
export function StripeCardFields({ ref, onAuthenticating }: StripeCardFieldsProps) {
  /** Null while loading. */
  const [stripe, setStripe] = useState<Stripe | 'unavailable' | null>(null);

  useEffect(() => {
    if (!stripe) stripeJs().then(setStripe, () => setStripe('unavailable'));
  }, [stripe]);

  return (
    <div>
      {stripe === 'unavailable' ? (
        <Notice kind="error">
          <p>We couldn’t load the card form.</p>
          <TryAgainButton onClick={() => setStripe(null)} />
        </Notice>
      ) : (
        <Elements stripe={stripe}>
          <CardFields ref={ref} onAuthenticating={onAuthenticating} />
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

function CardFields({ ref, onAuthenticating }: StripeCardFieldsProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [errors, setErrors] = useState<Partial<Record<Part, string>>>({});
  const complete = useRef<Partial<Record<Part, boolean>>>({});

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
      return await confirmCard(clientSecret, {
        stripe,
        card,
        billing,
        onAuthenticating: (open) => flushSync(() => onAuthenticating?.(open)),
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
      error={errors[part]}
      onChange={(isComplete, error) => {
        complete.current[part] = isComplete;
        setErrors((current) => ({ ...current, [part]: error }));
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
  error: string | undefined;
  onChange: (complete: boolean, error: string | undefined) => void;
}

function CardField({ part, error, onChange }: CardFieldProps) {
  const [focused, setFocused] = useState(false);
  useShownTheme();
  const style = elementStyle();
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { Element, label } = PARTS[part];
  const options = part === 'number' ? { showIcon: true, disableLink: true } : {};
  const edge = error ? 'border-2 border-danger' : '';
  const ring = focused ? 'outline-2 outline-offset-3 outline-primary' : '';
  return (
    <Field label={label} id={id} error={error}>
      {/* Stripe's iframes are light: with a dark `color-scheme` around them, browsers paint them opaque white. */}
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

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
    };
  }
}

/** The page's Trusted Types policy blocks every script URL; this admits Stripe's and no others. */
function admitStripeScripts(): void {
  window.trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => (/^https:\/\/([\w-]+\.)*js\.stripe\.com\//.test(url) ? url : null),
  });
}

let loading: Promise<Stripe> | undefined;
let admitted = false;

/** Rejects when Stripe cannot be reached; the next call tries again. */
function stripeJs(): Promise<Stripe> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Stripe> {
  const config = await fetchCall(GET_PAYMENT_CONFIG);
  if (config.provider !== 'stripe') throw new Error('Stripe does not take the payments');
  if (!admitted) admitStripeScripts();
  admitted = true;
  const stripe = await loadStripe(config.publishableKey);
  if (!stripe) throw new Error('Stripe.js did not load');
  return stripe;
}

/** Returns the status of the payment with this secret. */
export async function retrieveStripePayment(clientSecret: string): Promise<RetrievedStatus> {
  if (!/^pi_\w+_secret_\w+$/.test(clientSecret)) return 'unknown';
  const { paymentIntent, error } = await (await stripeJs()).retrievePaymentIntent(clientSecret);
  if (error?.type === 'invalid_request_error') return 'unknown';
  if (error) throw new Error(error.code ?? error.type);
  return statusOf(paymentIntent.status);
}

/** Opens the bank's window again if the payment still waits for its approval. The return page finds out the outcome. */
export async function continueStripePayment(clientSecret: string): Promise<void> {
  if ((await retrieveStripePayment(clientSecret)) !== 'requires_action') return;
  await (await stripeJs()).handleNextAction({ clientSecret });
}

function statusOf(status: string): PaymentStatus {
  if (status === 'succeeded' || status === 'processing' || status === 'canceled') return status;
  return status === 'requires_action' ? status : 'requires_payment_method';
}

interface EnteredCard {
  stripe: Pick<Stripe, 'confirmCardPayment' | 'confirmCardSetup' | 'handleNextAction'>;
  card: StripeCardNumberElement;
  billing: Billing;
  onAuthenticating: (open: boolean) => void;
}

/** Confirms a payment (`pi_…`) or saves a card for later charges (`seti_…`), including 3-D Secure. */
export async function confirmCard(
  clientSecret: string,
  { stripe, card, billing, onAuthenticating }: EnteredCard,
): Promise<PaymentOutcome> {
  const data = { payment_method: { card, billing_details: billingDetails(billing) } };
  const isSetup = clientSecret.startsWith('seti_');
  const notConfirmed = `Your bank did not confirm the ${isSetup ? 'card' : 'payment'}. Please try again or use another card.`;
  // In two steps, so that the dialog steps aside before Stripe opens its window.
  const options = { handleActions: false };
  const confirmed: Confirmation = isSetup
    ? await stripe.confirmCardSetup(clientSecret, data, options)
    : await stripe.confirmCardPayment(clientSecret, data, options);
  if ((confirmed.paymentIntent ?? confirmed.setupIntent)?.status !== 'requires_action')
    return outcomeOf(confirmed, notConfirmed);
  onAuthenticating(true);
  try {
    return outcomeOf(await stripe.handleNextAction({ clientSecret }), notConfirmed);
  } finally {
    onAuthenticating(false);
  }
}

function billingDetails({ name, email, phone, postalCode }: Billing) {
  return {
    name,
    email,
    ...(phone ? { phone } : {}),
    ...(postalCode ? { address: { country: 'US', postal_code: postalCode } } : {}),
  };
}

/** Stripe.js's result for a payment or a setup. */
interface Confirmation {
  paymentIntent?: Pick<PaymentIntent, 'status'>;
  setupIntent?: Pick<SetupIntent, 'status'> | null;
  error?: StripeError;
}

/** Customers read Stripe's own message about their card. Any other failure is thrown. */
function outcomeOf(
  { paymentIntent, setupIntent, error }: Confirmation,
  notConfirmed: string,
): PaymentOutcome {
  const intent = error
    ? (error.payment_intent ?? error.setup_intent)
    : (paymentIntent ?? setupIntent);
  const isDecided = intent?.status === 'succeeded' || intent?.status === 'processing';
  const { type, code = '', message = '' } = error ?? {};
  if (!error || code.endsWith('_authentication_failure'))
    return isDecided ? { kind: 'decided' } : { kind: 'refused', message: notConfirmed };
  if (code.endsWith('_unexpected_state')) {
    if (intent?.status === 'canceled') return { kind: 'expired' };
    if (isDecided) return { kind: 'decided' };
  }
  if (type !== 'card_error' && type !== 'validation_error') throw new Error(code || type);
  return { kind: 'refused', message };
}
