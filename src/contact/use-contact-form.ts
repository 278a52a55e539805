/** The form's states: idle, sending, sent or refused. What was typed stays in the inputs until it has arrived. */
import { type RefObject, useEffect, useState } from 'react';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { showToast } from '../ui/toast/toast.ts';
import {
  CONTACT_FIELDS,
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

export interface FormState {
  faults: ContactFaults;
  /** The last submission that was refused: a field that still holds the same keeps its fault. */
  refused: { values: ContactValues; faults: ContactFaults } | null;
  /** Why it was not sent, when that is nothing that was typed. */
  problem: string | null;
  /** Of the message that was sent last. */
  reference: string | null;
  sending: boolean;
  /** Grows with each submission that has ended, so that its outcome scrolls into view. */
  attempts: number;
}

const IDLE = { faults: {}, refused: null, problem: null, reference: null, sending: false };

export function useContactForm(form: RefObject<HTMLFormElement | null>, first: Partial<FormState>) {
  const [state, setState] = useState<FormState>({ ...IDLE, attempts: 0, ...first });

  useEffect(() => {
    const fill = (values: Partial<ContactValues>) => fillEmpty(form.current, values);
    fill({ ...storedVisitor(), message: takeDraft() });
    return onVisitor(fill);
  }, [form]);

  // A field that was corrected before hydration fired no event that React could handle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is hydrated
  useEffect(() => {
    for (const field of first.refused ? CONTACT_FIELDS : []) {
      if (document.activeElement?.id !== `contact-${field}`) recheck(field);
    }
  }, []);

  const finish = (outcome: Partial<FormState>) =>
    setState(({ attempts }) => ({ ...IDLE, attempts: attempts + 1, ...outcome }));

  async function submit() {
    if (!form.current || state.sending) return;
    const values = readForm(form.current);
    const faults = checkContact(values);
    if (Object.keys(faults).length > 0) return finish({ faults, refused: { values, faults } });
    setState({ ...state, ...IDLE, sending: true });
    await sendContact(values).then(
      ({ contact, reference }) => {
        setLastSubmission(contact);
        storeVisitor(contact);
        showToast(SENT);
        form.current?.reset();
        finish({ reference });
      },
      ({ message, faults }: NotSent) => {
        const description = message || NOT_SENT;
        showToast({ title: 'Form Submission Error', description, variant: 'destructive' });
        const refused = { values, faults };
        if (Object.keys(faults).length > 0) return finish({ faults, refused });
        const problem = navigator.onLine ? description : `${description} You seem to be offline.`;
        finish({ refused, problem });
      },
    );
  }

  /** Once a submission was refused, each field is checked when it is left. */
  function recheck(field: ContactField) {
    if (!form.current) return;
    const values = readForm(form.current);
    const found = checkContact(values)[field];
    setState((current) => {
      if (!current.refused) return current;
      const same = values[field] === current.refused.values[field];
      const fault = same ? current.refused.faults[field] : found;
      return { ...current, faults: { ...current.faults, [field]: fault } };
    });
  }

  return { state, submit, recheck };
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

/** What an answer leaves out is as it was typed. Throws a `NotSent`. */
export async function sendContact(values: ContactValues) {
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
  try {
    const { contact, reference } = await fetchCall(SEND_CONTACT, {
      body: Object.fromEntries(filled),
    });
    return {
      contact: {
        name: contact.name || values.name,
        email: contact.email || values.email,
        phone: contact.phone ?? values.phone,
        service: contact.service ?? values.service,
        message: contact.message || values.message,
        createdAt: contact.createdAt || new Date().toISOString(),
      },
      reference,
    };
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
