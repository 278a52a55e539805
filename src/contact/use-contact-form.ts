/** The form's states: idle, sending, sent or refused. What was typed stays in the inputs until it has arrived. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { showToast } from '../ui/toast.ts';
import { prepareToasts } from '../ui/toaster.tsx';
import type { ContactFaults, ContactValues } from './contact-fields.ts';
import type { ContactReceived } from './contact-message.ts';
import { SENT } from './contact-words.ts';
import { keepLastSubmission } from './last-submission.ts';
import { sendContact } from './send-contact.ts';
import {
  knownVisitor,
  onVisitorKnown,
  rememberVisitor,
  type VisitorDetails,
} from './visitor-details.ts';

export interface FormState {
  faults: ContactFaults;
  /** Why it was not sent, when that is nothing that was typed. */
  problem: string | null;
  /** Of the message that was sent last. */
  reference: string | null;
  sending: boolean;
  /** Grows with each submission that came to an end, so that its outcome gets the focus. */
  attempts: number;
}

const IDLE = { faults: {}, problem: null, reference: null, sending: false };

export function useContactForm(form: RefObject<HTMLFormElement | null>, first: Partial<FormState>) {
  const [state, setState] = useState<FormState>({ ...IDLE, attempts: 0, ...first });
  const [tried, setTried] = useState(first.faults !== undefined);
  const openedAt = useRef(0);

  useEffect(() => {
    openedAt.current = performance.now();
    const fill = (details: VisitorDetails) => fillEmpty(form.current, details);
    const known = knownVisitor();
    if (known) fill(known);
    return onVisitorKnown(fill);
  }, [form]);

  const finish = (outcome: Partial<FormState>) =>
    setState(({ attempts }) => ({ ...IDLE, attempts: attempts + 1, ...outcome }));

  async function submit() {
    if (!form.current || state.sending) return;
    const { website, ...values } = readForm(form.current);
    setTried(true);
    setState({ ...state, ...IDLE, sending: true });
    const faults = await check(values);
    if (Object.keys(faults).length > 0) return finish({ faults });
    const fillMs = Math.round(performance.now() - openedAt.current);
    const sent = await sendContact(values, { website, fillMs });
    if ('received' in sent) {
      succeed(sent.received);
      form.current?.reset();
      openedAt.current = performance.now();
      setTried(false);
      return finish({ reference: sent.received.reference });
    }
    const { message } = sent;
    showToast({ title: 'Form Submission Error', description: message, variant: 'destructive' });
    finish(
      Object.keys(sent.faults).length > 0
        ? { faults: sent.faults }
        : { problem: navigator.onLine ? message : `${message} You seem to be offline.` },
    );
  }

  /** Once a submission was refused, each field that is left says at once whether it is right now. */
  async function recheck() {
    if (!form.current || !tried || state.sending) return;
    const { website: _, ...values } = readForm(form.current);
    const faults = await check(values);
    setState((now) => (now.sending ? now : { ...now, faults }));
  }

  return { state, submit, recheck, prepare };
}

/** Fetches early what a submission needs; the network may be gone by then. */
function prepare(): void {
  import('./check-contact.ts').catch(() => undefined);
  prepareToasts().catch(() => undefined);
}

/** Where the check can't be loaded the server's is enough: it is the same. */
async function check(values: ContactValues): Promise<ContactFaults> {
  const loaded = await import('./check-contact.ts').catch(() => null);
  return loaded?.checkContact(values) ?? {};
}

function succeed({ contact }: ContactReceived): void {
  rememberVisitor({ name: contact.name, email: contact.email });
  keepLastSubmission(contact);
  showToast(SENT);
}

function readForm(form: HTMLFormElement): ContactValues & { website: string } {
  const typed = new FormData(form);
  const text = (field: string) => String(typed.get(field) ?? '');
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    service: text('service'),
    message: text('message'),
    website: text('website'),
  };
}

function fillEmpty(form: HTMLFormElement | null, details: VisitorDetails): void {
  for (const field of ['name', 'email'] as const) {
    const input = form?.elements.namedItem(field);
    if (input instanceof HTMLInputElement && input.value === '') input.value = details[field];
  }
}
