/** The contact form, which also works without script. */

import { useMutation } from '@tanstack/react-query';
import {
  type ComponentProps,
  type FormEvent,
  type MouseEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { firstVisitHeader } from '../attribution/first-visit.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { SITE_PAGES } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, Textarea, TextInput, typedInto } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toast/toast.ts';
import {
  CONTACT_FIELDS,
  CONTACT_LABELS,
  type ContactErrors,
  type ContactField,
  type ContactMessage,
  contactMessage,
  errorsByField,
  type ReturnedMessage,
  SEND_CONTACT,
  SENT,
  SERVICE_CHOICES,
} from './contact.ts';
import { rememberSubmission } from './last-submission.tsx';
import { onVisitorChange, readVisitor, saveVisitor, takeDraft } from './visitor.ts';

interface ContactInput extends ComponentProps<'input'> {
  field: ContactField;
  optional?: boolean;
  hint?: string;
}

const INPUTS: readonly ContactInput[] = [
  { field: 'name', autoComplete: 'name', required: true },
  { field: 'email', type: 'email', autoComplete: 'email', inputMode: 'email', required: true },
  {
    field: 'phone',
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
    optional: true,
    hint: 'Any format is accepted',
  },
];

const idOf = (field: string) => `contact-${field}`;

/** Without script, the browser posts the form and the server answers with a page. */
export function ContactForm({ returned }: { returned?: ReturnedMessage }) {
  const { form, summary, errors, problem, reference, sending, submit, clearError } =
    useContactForm(returned);
  const typed = returned?.values;

  return (
    <form
      ref={form}
      method="post"
      action={SITE_PAGES.contact.path}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
      onInput={({ target }) => 'name' in target && clearError(String(target.name))}
      className="grid gap-5"
    >
      <div ref={summary} tabIndex={-1} className="empty:hidden">
        <ErrorSummary errors={errors} />
        {problem && <Notice kind="error">{problem}</Notice>}
        {reference && (
          <Notice kind="success">
            Message received. Reference <strong>{reference}</strong>.
          </Notice>
        )}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        {INPUTS.map(({ field, optional, hint, ...input }) => (
          <Field
            key={field}
            id={idOf(field)}
            label={CONTACT_LABELS[field]}
            optional={optional}
            hint={hint}
            error={errors[field]}
          >
            <TextInput {...input} name={field} defaultValue={typed?.[field]} />
          </Field>
        ))}
        <Field
          id={idOf('service')}
          label={CONTACT_LABELS.service}
          optional
          hint="How can we help?"
          error={errors.service}
        >
          <Select name="service" defaultValue={typed?.service}>
            <option value="">Select a service</option>
            {Object.entries(SERVICE_CHOICES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field id={idOf('message')} label={CONTACT_LABELS.message} error={errors.message}>
        <Textarea name="message" rows={4} required defaultValue={typed?.message} />
      </Field>
      <Button
        type="submit"
        worksWithoutScript
        size="large"
        busy={sending}
        className="sm:justify-self-start"
      >
        {sending ? 'Sending...' : 'Send Message'}
      </Button>
    </form>
  );
}

/** Links to the fields with errors. The messages are at the fields. */
function ErrorSummary({ errors }: { errors: ContactErrors }) {
  const fields = CONTACT_FIELDS.filter((field) => errors[field]);
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
              href={`#${idOf(field)}`}
              onClick={goTo}
              className="inline-block py-1 underline underline-offset-4"
            >
              {CONTACT_LABELS[field]}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The result of the last submission. */
interface FormResult {
  errors: ContactErrors;
  /** Why the message was not sent, if a field is not the only cause. */
  problem: string | null;
  reference: string | null;
}
const NO_RESULT: FormResult = { errors: {}, problem: null, reference: null };

function refused(issues: readonly { path: string; message: string }[]): Partial<FormResult> {
  const errors = errorsByField(issues);
  const ofNoField = issues.find(({ path }) => !Object.hasOwn(errors, path));
  return { errors, problem: ofNoField?.message ?? null };
}

/** Sends the form and keeps the result. The inputs are cleared only once the message has arrived. */
function useContactForm(returned: ReturnedMessage | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [result, setResult] = useState<FormResult>({ ...NO_RESULT, ...returned });
  /** The number of finished submissions. */
  const [finished, setFinished] = useState(0);
  const { errors, problem, reference } = result;

  function finish(changes: Partial<FormResult>) {
    setResult({ ...NO_RESULT, ...changes });
    setFinished(finished + 1);
  }

  const { mutate, isPending } = useMutation({
    mutationFn: (message: ContactMessage) => {
      const { phone, service } = message;
      const body = { ...message, phone: phone ?? '', service: service ?? '' };
      return fetchCall(SEND_CONTACT, { body, headers: firstVisitHeader() });
    },
    onSuccess({ contact, reference }, message) {
      rememberSubmission({
        ...message,
        createdAt: contact.createdAt || new Date().toISOString(),
      });
      saveVisitor({ name: message.name, email: message.email });
      showToast(SENT);
      form.current?.reset();
      finish({ reference });
    },
    onError(error) {
      const description = failureText(error);
      showToast({ title: 'Form Submission Error', description, variant: 'destructive' });
      const issues = error instanceof CallError ? error.errors : [];
      const offline = navigator.onLine ? '' : ' You seem to be offline.';
      finish(issues.length > 0 ? refused(issues) : { problem: description + offline });
    },
  });

  useEffect(() => {
    // Without script, the browser checks the fields.
    if (form.current) form.current.noValidate = true;
    const fill = () => fillEmpty(readVisitor() ?? {});
    fill();
    fillEmpty({ message: takeDraft() });
    return onVisitorChange(fill);
  }, []);

  // Moves the focus only to errors: after a success, the button gets it back by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per submission, when the button is enabled again
  useEffect(() => {
    if (finished === 0 || isPending) return;
    if (problem ?? reference) summary.current?.scrollIntoView({ block: 'nearest' });
    else summary.current?.focus();
  }, [finished, isPending]);

  return {
    ...result,
    form,
    summary,
    sending: isPending,
    submit() {
      if (isPending) return;
      const { data, error } = contactMessage.safeParse(
        Object.fromEntries(CONTACT_FIELDS.map((field) => [field, typedInto(idOf(field))])),
      );
      if (error)
        return finish(
          refused(error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))),
        );
      setResult(NO_RESULT);
      mutate(data);
    },
    /** Removes a field's error while the visitor corrects it. */
    clearError(field: string) {
      const { [field as ContactField]: _, ...others } = errors;
      setResult({ ...result, errors: others });
    },
  };
}

/** Enough of a proxy's error page to recognize it. */
const MAX_RAW = 200;

function failureText(error: Error): string {
  // Without an answer fetch throws a TypeError; an answer that is not JSON throws a SyntaxError.
  if (!(error instanceof CallError)) return 'Failed to receive response from server';
  return error.reason || error.body.slice(0, MAX_RAW) || 'Failed to submit the form';
}

function fillEmpty(values: Record<string, string>): void {
  for (const [field, value] of Object.entries(values)) {
    const input = document.getElementById(idOf(field));
    if (input && 'value' in input) input.value ||= value;
  }
}
