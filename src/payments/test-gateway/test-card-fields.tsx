/** The test gateway's card form. It sends a token and the last four digits, never a card number. */
import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/fields.tsx';
import { CARD_PARTS, type CardErrors, CardGroup, type CardPart } from '../card-group.tsx';
import type {
  CardFieldsProps,
  PaymentOutcome,
  ProviderInBrowser,
  RetrievedStatus,
} from '../provider-in-browser.ts';
import {
  brandOf,
  type CardNumbers,
  cardErrors,
  readCard,
  showExpiry,
  showNumber,
  testToken,
} from './test-cards.ts';
import {
  ANSWER_TEST_PAYMENT,
  CONFIRM_TEST_PAYMENT,
  RETRIEVE_TEST_PAYMENT,
} from './test-payment-api.ts';

const SHOWN = { number: showNumber, expiry: showExpiry, cvv: (cvv: string) => cvv };
const HINTS = {
  number: { autoComplete: 'cc-number', placeholder: '1234 1234 1234 1234' },
  expiry: { autoComplete: 'cc-exp', placeholder: 'MM/YY' },
  cvv: { autoComplete: 'cc-csc', placeholder: 'CVV' },
};

export function TestCardFields({ ref }: CardFieldsProps) {
  const [brand, setBrand] = useState<string>();
  const [errors, setErrors] = useState<CardErrors>({});
  const [confirmation, setConfirmation] = useState<ConfirmationProps | null>(null);
  // Closing the form refuses the payment.
  useEffect(() => () => confirmation?.decide(false), [confirmation]);
  const inputs = useRef<Partial<Record<CardPart, HTMLInputElement | null>>>({});
  /** From the fields themselves: password managers fill them in without an event. */
  const read = (part: CardPart) => readCard(part, inputs.current[part]?.value ?? '');
  const readAll = (): CardNumbers => ({
    number: read('number'),
    expiry: read('expiry'),
    cvv: read('cvv'),
  });

  /** As checked: a form that is closed pays on. */
  const card = useRef<CardNumbers>({ number: '', expiry: '', cvv: '' });

  useImperativeHandle(ref, () => ({
    check() {
      card.current = readAll();
      const newErrors = cardErrors(card.current, new Date());
      setErrors(newErrors);
      const first = CARD_PARTS.find((part) => newErrors[part]);
      if (first) inputs.current[first]?.focus();
      return !first;
    },
    async confirm(clientSecret): Promise<PaymentOutcome> {
      const { number } = card.current;
      const token = testToken(number);
      if (!token) return refused(NOT_A_TEST_CARD);
      const body = { clientSecret, token, last4: number.slice(-4) };
      const payment = await fetchCall(CONFIRM_TEST_PAYMENT, { body }).catch(unlessUnknown);
      // The return page reports an unknown payment as failed.
      if (payment === 'unknown') return { kind: 'decided' };
      const { status, message } = payment;
      if (status === 'canceled') return { kind: 'expired' };
      if (status === 'requires_action') {
        const approve = await new Promise<boolean>((decide) => setConfirmation({ decide }));
        setConfirmation(null);
        await answerTestPayment(clientSecret, approve);
      }
      return message ? refused(message) : { kind: 'decided' };
    },
  }));

  function refused(message: string): PaymentOutcome {
    setErrors({ number: message });
    return { kind: 'refused', message };
  }

  /** Formats a field, and validates it again while its error is being corrected. */
  function change(part: CardPart, field: HTMLInputElement) {
    const typed = read(part);
    const before = readCard(part, field.value.slice(0, field.selectionStart ?? undefined)).length;
    field.value = SHOWN[part](typed);
    // Setting the text moves the caret to the end, away from a digit in the middle.
    const place = SHOWN[part](typed.slice(0, before)).length;
    if (before < typed.length) field.setSelectionRange(place, place);
    if (part === 'number') setBrand(brandOf(typed));
    if (errors[part]) setErrors({ ...errors, [part]: cardErrors(readAll(), new Date())[part] });
  }

  return (
    <div className="grid gap-5">
      <CardGroup errors={errors} brand={brand}>
        {(part, _, edges) => (
          <TextInput
            ref={(element) => {
              inputs.current[part] = element;
            }}
            required
            inputMode="numeric"
            {...HINTS[part]}
            onChange={({ target }) => change(part, target)}
            className={`tabular-nums ${edges}`}
          />
        )}
      </CardGroup>
      {confirmation && <ConfirmationStep decide={confirmation.decide} />}
    </div>
  );
}

function answerTestPayment(clientSecret: string, approve: boolean) {
  return fetchCall(ANSWER_TEST_PAYMENT, { body: { clientSecret, approve } });
}

async function retrieveTestPayment(clientSecret: string): Promise<RetrievedStatus> {
  const body = { clientSecret };
  const payment = await fetchCall(RETRIEVE_TEST_PAYMENT, { body }).catch(unlessUnknown);
  return payment === 'unknown' ? payment : payment.status;
}

/** 404 is a secret that no payment has, 400 a malformed one. */
function unlessUnknown(error: unknown): 'unknown' {
  if (error instanceof CallError && (error.status === 404 || error.status === 400))
    return 'unknown';
  throw error;
}

const NOT_A_TEST_CARD =
  'This is not a test card. Test mode accepts only test card numbers, such as 4242 4242 4242 4242.';

interface ConfirmationProps {
  decide: (approve: boolean) => void;
}

/** Stands in for the bank's 3-D Secure window. */
function ConfirmationStep({ decide }: ConfirmationProps) {
  return (
    <section
      aria-label="Confirm your payment"
      data-asks
      className="rounded-control border border-amber/30 bg-amber-soft p-4"
    >
      <p className="text-sm text-ink" role="status">
        Your bank needs your approval.
      </p>
      <div className="mt-3 grid gap-3 sm:flex">
        <Button autoFocus onClick={() => decide(true)}>
          Approve
        </Button>
        <Button variant="quiet" onClick={() => decide(false)}>
          Refuse
        </Button>
      </div>
    </section>
  );
}

export const TEST_IN_BROWSER: ProviderInBrowser = {
  CardFields: TestCardFields,
  retrieveStatus: retrieveTestPayment,
  continuePayment: answerTestPayment,
};
