/** Sends the contact form and says what came of it. What was typed stays in the inputs until it has arrived. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { showToast } from '../ui/toast/toast.ts';
import {
  type ContactFaults,
  type ContactField,
  type ContactValues,
  checkContact,
  eachField,
  faultsOf,
  NOT_SENT,
  SEND_CONTACT,
  SENT,
} from './contact.ts';
import { onVisitor, setLastSubmission, storedVisitor, storeVisitor, takeDraft } from './visitor.ts';

/** A message that the server sent back to be corrected, when the form was sent without script. */
export interface ReturnedMessage {
  values: ContactValues;
  faults: ContactFaults;
  problem: string | null;
}

export function useContactForm(returned: ReturnedMessage | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  /** A submission has ended, and what came of it is not in view yet. */
  const ended = useRef(false);
  const [faults, setFaults] = useState(returned?.faults ?? {});

  const sending = useMutation({
    mutationFn: sendContact,
    onSuccess({ contact }, values) {
      setLastSubmission({
        ...values,
        createdAt: contact.createdAt || new Date().toISOString(),
      });
      storeVisitor({ name: values.name, email: values.email });
      showToast(SENT);
      form.current?.reset();
    },
    onError(error: NotSent) {
      setFaults(error.faults);
      const description = error.message || NOT_SENT;
      showToast({ title: 'Form Submission Error', description, variant: 'destructive' });
    },
    onSettled() {
      ended.current = true;
    },
  });
  const { isIdle, isPending, data, error } = sending;

  useEffect(() => {
    const fill = () => fillEmpty(form.current, storedVisitor() ?? {});
    fill();
    fillEmpty(form.current, { message: takeDraft() });
    return onVisitor(fill);
  }, []);

  /** Why it was not sent, when that is nothing that was typed. */
  const problem = error && Object.keys(error.faults).length === 0 ? problemOf(error) : null;
  const reference = data?.reference ?? null;

  // The button has the focus back; only what is to be corrected takes it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: faults and pending say that a submission has ended
  useEffect(() => {
    if (!ended.current || isPending) return;
    ended.current = false;
    if (problem ?? reference) outcome.current?.scrollIntoView({ block: 'nearest' });
    else outcome.current?.focus();
  }, [faults, isPending]);

  return {
    form,
    outcome,
    faults,
    problem: isIdle ? (returned?.problem ?? null) : problem,
    reference,
    sending: isPending,
    submit() {
      if (!form.current || isPending) return;
      const values = readForm(form.current);
      const found = checkContact(values);
      setFaults(found);
      if (Object.keys(found).length === 0) return sending.mutate(values);
      ended.current = true;
      sending.reset();
    },
    /** What is being corrected is no fault until the next submission. */
    clearFault(field: string) {
      setFaults(({ [field as ContactField]: _, ...others }) => others);
    },
  };
}

function problemOf({ message }: NotSent): string {
  const reason = message || NOT_SENT;
  return navigator.onLine ? reason : `${reason} You seem to be offline.`;
}

/** Why a message was not received, in words for the visitor. */
export class NotSent extends Error {
  /** When it is about what was typed. */
  readonly faults: ContactFaults;

  constructor(message: string, cause: unknown, faults: ContactFaults = {}) {
    super(message, { cause });
    this.faults = faults;
  }
}

/** A proxy's error page is no message; its beginning is enough to recognise it. */
const MAX_RAW = 200;

/** Throws a `NotSent`. */
export async function sendContact(values: ContactValues) {
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
  try {
    return await fetchCall(SEND_CONTACT, { body: Object.fromEntries(filled) });
  } catch (error) {
    // `fetch` fails with a TypeError when there is no answer, and with a SyntaxError when it is no JSON.
    if (!(error instanceof CallError))
      throw new NotSent('Failed to receive response from server', error);
    const reason = error.reason || error.body.slice(0, MAX_RAW) || 'Failed to submit the form';
    throw new NotSent(reason, error, faultsOf(error.errors));
  }
}

function readForm(form: HTMLFormElement): ContactValues {
  const data = new FormData(form);
  return eachField((field) => String(data.get(field) ?? ''));
}

function fillEmpty(form: HTMLFormElement | null, values: Partial<ContactValues>): void {
  for (const [field, value] of Object.entries(values)) {
    const input = form?.elements.namedItem(field);
    const isText = input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement;
    if (isText && input.value === '') input.value = value;
  }
}
