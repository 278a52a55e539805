/** The form's states: idle, sending, sent or refused. What was typed stays in the inputs until it has arrived. */
import { type RefObject, useEffect, useState } from 'react';
import { showToast } from '../ui/toast/toast.ts';
import { prepareToasts } from '../ui/toast/toaster.tsx';
import {
  CONTACT_FIELDS,
  type ContactFaults,
  type ContactField,
  type ContactValues,
  knownVisitor,
  NOT_SENT,
  onVisitorKnown,
  rememberVisitor,
  SENT,
  takeDraft,
  type VisitorDetails,
} from './contact-fields.ts';
import type { NotSent } from './contact-message.ts';

export interface FormState {
  faults: ContactFaults;
  /** The last submission that was not taken: a field that still says the same keeps its fault. */
  refused: { values: ContactValues; faults: ContactFaults } | null;
  /** Why it was not sent, when that is nothing that was typed. */
  problem: string | null;
  /** Of the message that was sent last. */
  reference: string | null;
  sending: boolean;
  /** Grows with each submission that came to an end, so that its outcome comes into view. */
  attempts: number;
}

const IDLE = { faults: {}, refused: null, problem: null, reference: null, sending: false };

export function useContactForm(form: RefObject<HTMLFormElement | null>, first: Partial<FormState>) {
  const [state, setState] = useState<FormState>({ ...IDLE, attempts: 0, ...first });

  useEffect(() => {
    const fill = (details: VisitorDetails) => fillEmpty(form.current, details);
    const known = knownVisitor();
    if (known) fill(known);
    fillMessage(form.current);
    return onVisitorKnown(fill);
  }, [form]);

  // What was corrected before the script came left no event behind.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the fields are taken over
  useEffect(() => {
    for (const field of first.refused ? CONTACT_FIELDS : []) {
      const left = document.activeElement?.id !== `contact-${field}`;
      if (left) recheck(field);
    }
  }, []);

  const finish = (outcome: Partial<FormState>) =>
    setState(({ attempts }) => ({ ...IDLE, attempts: attempts + 1, ...outcome }));

  function fail(values: ContactValues, message = NOT_SENT, faults: ContactFaults = {}) {
    showToast({ title: 'Form Submission Error', description: message, variant: 'destructive' });
    const told = Object.keys(faults).length > 0;
    const problem = navigator.onLine ? message : `${message} You seem to be offline.`;
    finish({ faults, refused: { values, faults }, problem: told ? null : problem });
  }

  async function submit() {
    if (!form.current || state.sending) return;
    const values = readForm(form.current);
    setState({ ...state, ...IDLE, sending: true });
    const loaded = await load();
    if (!loaded) return fail(values);
    const faults = loaded.checkContact(values);
    if (Object.keys(faults).length > 0) return finish({ faults, refused: { values, faults } });
    await loaded.sendContact(values).then(
      ({ contact: { name, email }, reference }) => {
        rememberVisitor({ name, email });
        showToast(SENT);
        form.current?.reset();
        finish({ reference });
      },
      ({ message, faults }: NotSent) => fail(values, message, faults),
    );
  }

  /** Once a submission was refused, each field that is left says whether it is right now. */
  async function recheck(field: ContactField) {
    const loaded = await load();
    if (!form.current || !loaded) return;
    const values = readForm(form.current);
    const found = loaded.checkContact(values)[field];
    setState((now) => {
      if (!now.refused) return now;
      const same = values[field] === now.refused.values[field];
      const fault = same ? now.refused.faults[field] : found;
      return { ...now, faults: { ...now.faults, [field]: fault } };
    });
  }

  return { state, submit, recheck };
}

/** Fetches early what a submission needs; the network may be gone by then. */
export function prepareContactForm(): void {
  load();
  prepareToasts().catch(() => undefined);
}

function load() {
  return import('./contact-message.ts').catch(() => null);
}

function readForm(form: HTMLFormElement): ContactValues {
  const typed = [...new FormData(form)].map(([field, value]) => [field, String(value)]);
  return Object.fromEntries(typed);
}

/** What another page has put together for it. */
function fillMessage(form: HTMLFormElement | null): void {
  const input = form?.elements.namedItem('message');
  if (input instanceof HTMLTextAreaElement && input.value === '') input.value = takeDraft() ?? '';
}

function fillEmpty(form: HTMLFormElement | null, details: VisitorDetails): void {
  for (const field of ['name', 'email'] as const) {
    const input = form?.elements.namedItem(field);
    if (input instanceof HTMLInputElement && input.value === '') input.value = details[field];
  }
}
