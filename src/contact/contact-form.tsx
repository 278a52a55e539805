/** The contact form, which works without script too, and what became of the last message of this tab. */
import { useMutation } from '@tanstack/react-query';
import {
  type ComponentProps,
  type FormEvent,
  type MouseEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { Button, CloseButton } from '../ui/button.tsx';
import { Field, Select, Textarea, TextInput } from '../ui/fields.tsx';
import { Card } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { useHydrated } from '../ui/use-hydrated.ts';
import {
  CONTACT_FIELDS,
  type ContactFaults,
  type ContactField,
  type ContactValues,
  checkContact,
  eachField,
  faultsOf,
  NOT_SENT,
  type ReturnedMessage,
  SEND_CONTACT,
  SENT,
  SERVICE_CHOICES,
  serviceLabel,
} from './contact.ts';
import { onVisitor, storedVisitor, storeVisitor, takeDraft } from './visitor.ts';

interface ContactInput extends ComponentProps<'input'> {
  label: string;
  field: 'name' | 'email' | 'phone';
  optional?: boolean;
  hint?: string;
}

const INPUTS: readonly ContactInput[] = [
  { label: 'Name', field: 'name', autoComplete: 'name', required: true },
  {
    label: 'Email',
    field: 'email',
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
    required: true,
  },
  {
    label: 'Phone',
    field: 'phone',
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
    optional: true,
    hint: 'Any format is accepted',
  },
];

/** Without script the browser posts it, and the server answers with a page. */
export function ContactForm({ returned }: { returned?: ReturnedMessage }) {
  const { form, summary, faults, problem, reference, sending, submit, clearFault } =
    useContactForm(returned);
  const typed = returned?.values;

  return (
    <form
      ref={form}
      method="post"
      action="/contact"
      noValidate={useHydrated()}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
      onInput={({ target }) => 'name' in target && clearFault(String(target.name))}
      className="grid gap-5"
    >
      <div ref={summary} tabIndex={-1} className="empty:hidden">
        <FaultSummary faults={faults} />
        {problem && <Notice kind="error">{problem}</Notice>}
        {reference && (
          <Notice kind="success">
            Message received. Reference <strong>{reference}</strong>.
          </Notice>
        )}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        {INPUTS.map(({ label, field, optional, hint, ...input }) => (
          <Field
            key={field}
            {...{ label, optional, hint }}
            id={`contact-${field}`}
            error={faults[field]}
          >
            {(control) => (
              <TextInput {...control} {...input} name={field} defaultValue={typed?.[field]} />
            )}
          </Field>
        ))}
        <Field
          label="Service"
          id="contact-service"
          optional
          hint="How can we help?"
          error={faults.service}
        >
          {(control) => (
            <Select {...control} name="service" defaultValue={typed?.service}>
              <option value="">Select a service</option>
              {Object.entries(SERVICE_CHOICES).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label="Message" id="contact-message" error={faults.message}>
        {(control) => (
          <Textarea {...control} name="message" rows={4} required defaultValue={typed?.message} />
        )}
      </Field>
      <Button type="submit" size="large" busy={sending} className="sm:justify-self-start">
        {sending ? 'Sending...' : 'Send Message'}
      </Button>
    </form>
  );
}

/** Names the fields that need another look and leads to them; the words about each stand at the field. */
function FaultSummary({ faults }: { faults: ContactFaults }) {
  const fields = CONTACT_FIELDS.filter((field) => faults[field]);
  if (fields.length === 0) return null;
  const goTo = (event: MouseEvent<HTMLAnchorElement>) => {
    const field = document.getElementById(event.currentTarget.hash.slice(1));
    if (!field) return;
    event.preventDefault();
    field.focus();
  };
  return (
    <Notice kind="error">
      <p className="font-medium">
        {fields.length === 1 ? 'Please fix this field:' : 'Please fix these fields:'}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {fields.map((field) => (
          <li key={field}>
            <a
              href={`#contact-${field}`}
              onClick={goTo}
              className="inline-block py-1 capitalize underline underline-offset-4"
            >
              {field}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** What came of the last submission. */
interface Outcome {
  faults: ContactFaults;
  /** Why it was not sent, when that is nothing that was typed. */
  problem: string | null;
  reference: string | null;
}
const NOTHING_YET: Outcome = { faults: {}, problem: null, reference: null };

/** Sends the form and says what came of it. What was typed stays in the inputs until it has arrived. */
function useContactForm(returned: ReturnedMessage | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [outcome, setOutcome] = useState<Outcome>({ ...NOTHING_YET, ...returned });
  /** How many submissions have ended. */
  const [ended, setEnded] = useState(0);
  const { faults, problem, reference } = outcome;

  function end(now: Partial<Outcome>) {
    setOutcome({ ...NOTHING_YET, ...now });
    setEnded(ended + 1);
  }

  const { mutate, isPending } = useMutation({
    mutationFn: sendContact,
    onSuccess({ contact, reference }, values) {
      submitted = { ...values, createdAt: contact.createdAt || new Date().toISOString() };
      storeVisitor({ name: values.name, email: values.email });
      showToast(SENT);
      form.current?.reset();
      end({ reference });
    },
    onError({ message, faults }: NotSent) {
      const description = message || NOT_SENT;
      showToast({ title: 'Form Submission Error', description, variant: 'destructive' });
      const offline = navigator.onLine ? '' : ' You seem to be offline.';
      end(Object.keys(faults).length > 0 ? { faults } : { problem: description + offline });
    },
  });

  useEffect(() => {
    const fill = () => fillEmpty(form.current, storedVisitor() ?? {});
    fill();
    fillEmpty(form.current, { message: takeDraft() });
    return onVisitor(fill);
  }, []);

  // The button has the focus back; only what is to be corrected takes it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each submission, when the button works again
  useEffect(() => {
    if (ended === 0 || isPending) return;
    if (problem ?? reference) summary.current?.scrollIntoView({ block: 'nearest' });
    else summary.current?.focus();
  }, [ended, isPending]);

  return {
    ...outcome,
    form,
    summary,
    sending: isPending,
    submit() {
      if (!form.current || isPending) return;
      const data = new FormData(form.current);
      const values = eachField((field) => String(data.get(field) ?? ''));
      const found = checkContact(values);
      if (Object.keys(found).length > 0) return end({ faults: found });
      setOutcome(NOTHING_YET);
      mutate(values);
    },
    /** What is being corrected is no fault until the next submission. */
    clearFault(field: string) {
      const { [field as ContactField]: _, ...others } = faults;
      setOutcome({ ...outcome, faults: others });
    },
  };
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

function fillEmpty(form: HTMLFormElement | null, values: Partial<ContactValues>): void {
  for (const [field, value] of Object.entries(values)) {
    const input = form?.elements.namedItem(field);
    const isText = input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement;
    if (isText && input.value === '') input.value = value;
  }
}

interface Submission extends ContactValues {
  /** ISO 8601. */
  createdAt: string;
}

/** For the debug panel; in memory only, so that a reload forgets it. */
let submitted: Submission | null = null;

/** For those who set the site up: what the form sent last from this tab. A double click on the email link toggles it. */
export function LastSubmissionPanel({ onClose }: { onClose: () => void }) {
  const last = submitted;
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();

  useEffect(() => {
    const link = document.activeElement;
    title.current?.scrollIntoView({ block: 'center' });
    title.current?.focus({ preventScroll: true });
    return () => {
      if (link instanceof HTMLElement) link.focus({ preventScroll: true });
    };
  }, []);

  return (
    <Card className="relative mt-6 text-sm">
      <h3 ref={title} id={id} tabIndex={-1} className="pr-10 text-lg tracking-tight">
        Last Form Submission
      </h3>
      <CloseButton
        aria-label="Close"
        aria-describedby={id}
        onClick={onClose}
        className="absolute top-4 right-4"
      />
      {last ? (
        <dl className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
          {CONTACT_FIELDS.map((field) => (
            <Row key={field} term={field.charAt(0).toUpperCase() + field.slice(1)}>
              {field === 'service'
                ? (serviceLabel(last.service) ?? 'Not specified')
                : last[field] || 'Not provided'}
            </Row>
          ))}
          <Row term="Received">{new Date(last.createdAt).toLocaleString('en-US')}</Row>
        </dl>
      ) : (
        <p className="mt-4">Nothing has been sent from this tab yet.</p>
      )}
    </Card>
  );
}

function Row({ term, children }: { term: string; children: string }) {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 break-words whitespace-pre-wrap text-ink max-sm:mb-2">{children}</dd>
    </>
  );
}
