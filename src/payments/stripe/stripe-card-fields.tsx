/**
 * Stripe in the browser: its script, loaded from Stripe's own address the first time that it is needed, its card fields in the
 * look of ours, and what becomes of a card there. What is typed into the fields never reaches this page.
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
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PaymentStatus, RetrievedStatus } from '../../orders/order.ts';
import { fetchCall } from '../../platform/fetch-call.ts';
import { TryAgainButton } from '../../ui/button.tsx';
import { CONTROL, Field } from '../../ui/fields.tsx';
import { Notice } from '../../ui/notice.tsx';
import { themeColour, useShownTheme } from '../../ui/theme-choice.tsx';
import {
  type Billing,
  type CardEntry,
  GET_PAYMENT_CONFIG,
  type PaymentOutcome,
} from '../payment-api.ts';

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
          <TryAgainButton onClick={() => setStripe(null)} />
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

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
    };
  }
}

/** The page admits no script by its address alone; Stripe's loader is let through here, and nothing else. */
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
  if (!stripe) throw new Error('Stripe.js gave nothing');
  return stripe;
}

/** What became of the payment with this secret, in Stripe's word. */
export async function retrieveStripePayment(clientSecret: string): Promise<RetrievedStatus> {
  if (!/^pi_\w+_secret_\w+$/.test(clientSecret)) return 'unknown';
  const { paymentIntent, error } = await (await stripeJs()).retrievePaymentIntent(clientSecret);
  if (error?.type === 'invalid_request_error') return 'unknown';
  if (error) throw new Error(error.code ?? error.type);
  return statusOf(paymentIntent.status);
}

function statusOf(status: string): PaymentStatus {
  if (status === 'succeeded' || status === 'processing' || status === 'canceled') return status;
  return status === 'requires_action' ? status : 'requires_payment_method';
}

/** What a card is confirmed with, and where it was typed. */
interface EnteredCard {
  stripe: Stripe;
  card: StripeCardNumberElement;
  billing: Billing;
  /** While the bank asks, what stands above the page must let Stripe's window through. */
  onAsking: (asking: boolean) => void;
}

/**
 * Pays with the card, or only keeps it for later charges: what it is for, the secret says. The bank's question to the
 * customer is part of it.
 */
export async function confirmCard(
  clientSecret: string,
  { stripe, card, billing, onAsking }: EnteredCard,
): Promise<PaymentOutcome> {
  const data = { payment_method: { card, billing_details: billingDetails(billing) } };
  const isSetup = clientSecret.startsWith('seti_');
  const notConfirmed = `Your bank did not confirm the ${isSetup ? 'card' : 'payment'}. Please try again or use another card.`;
  const silent = { handleActions: false };
  const tried: Tried = isSetup
    ? await stripe.confirmCardSetup(clientSecret, data, silent)
    : await stripe.confirmCardPayment(clientSecret, data, silent);
  if ((tried.paymentIntent ?? tried.setupIntent)?.status !== 'requires_action')
    return outcomeOf(tried, notConfirmed);
  onAsking(true);
  try {
    return outcomeOf(await stripe.handleNextAction({ clientSecret }), notConfirmed);
  } finally {
    onAsking(false);
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

/** What Stripe.js answers of a payment or a card that is kept. */
interface Tried {
  paymentIntent?: Pick<PaymentIntent, 'status'> | undefined;
  setupIntent?: Pick<SetupIntent, 'status'> | null | undefined;
  error?: StripeError | undefined;
}

/** Customers read Stripe's own words about their card; any other failure is thrown. */
function outcomeOf(
  { paymentIntent, setupIntent, error }: Tried,
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
