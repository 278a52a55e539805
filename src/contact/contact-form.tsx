/** The contact form, which also works without script. */

import { type MouseEvent, useEffect, useRef } from 'react';
import { firstVisitHeader } from '../attribution/first-visit.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { SITE_PAGES } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToasts } from '../ui/toast/show-toasts.tsx';
import { showError, showToast } from '../ui/toast/toast.ts';
import { type FieldFaults, type FieldOptions, useForm } from '../ui/use-form.tsx';
import {
  CONTACT_FIELDS,
  CONTACT_LABELS,
  type ContactField,
  contactMessage,
  type ReturnedMessage,
  SEND_CONTACT,
  SENT,
} from './contact.ts';
import { rememberSubmission } from './last-submission.tsx';
import { onVisitorChange, readVisitor, saveVisitor, takeDraft } from './visitor.ts';

const ID = 'contact';
const idOf = (field: string) => `${ID}-${field}`;

/** Without script, the browser posts the form and the server answers with a page. */
export function ContactForm({ returned }: { returned?: ReturnedMessage }) {
  const element = useRef<HTMLFormElement>(null);
  const { contactServices } = useSite().company;
  const { form, field, summary, errors, problem, sending, saved } = useForm({
    id: ID,
    schema: contactMessage,
    returned,
    read: (field): Record<ContactField, string> => ({
      name: field('name'),
      email: field('email'),
      phone: field('phone'),
      service: field('service'),
      message: field('message'),
    }),
    save: (body) => fetchCall(SEND_CONTACT, { body, headers: firstVisitHeader() }),
    onSaved({ contact }, message) {
      rememberSubmission({ ...message, createdAt: contact.createdAt || new Date().toISOString() });
      saveVisitor({ name: message.name, email: message.email });
      showToast(SENT);
      element.current?.reset();
    },
    onFailed: (error) => showError(failureText(error), 'Form Submission Error'),
    failure: (error) =>
      `${failureText(error)}${saysWhy(error) ? '' : `. ${TRY_AGAIN}`}${navigator.onLine ? '' : ' You seem to be offline.'}`,
  });
  const line = (name: ContactField, options: FieldOptions) =>
    field(CONTACT_LABELS[name], name, { defaultValue: returned?.values[name], ...options });

  useEffect(showToasts, []);
  useEffect(() => {
    // Without script, the browser checks the fields.
    if (element.current) element.current.noValidate = true;
    const fill = () => fillEmpty(readVisitor() ?? {});
    fill();
    fillEmpty({ message: takeDraft() });
    return onVisitorChange(fill);
  }, []);
  const outcome = problem ?? saved;
  useEffect(() => {
    if (outcome) summary.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome, summary]);

  return (
    <form
      ref={element}
      method="post"
      action={SITE_PAGES.contact.path}
      {...form}
      className="grid gap-5"
    >
      <div ref={summary} tabIndex={-1} className="scroll-mt-28 empty:hidden">
        <ErrorSummary errors={errors} />
        {problem && <Notice kind="error">{problem}</Notice>}
        {saved?.reference && (
          <Notice kind="success">
            Message received. Reference{' '}
            <strong className="whitespace-nowrap">{saved.reference}</strong>.
          </Notice>
        )}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        {line('name', { autoComplete: 'name', required: true })}
        {line('email', {
          type: 'email',
          autoComplete: 'email',
          inputMode: 'email',
          required: true,
        })}
        {line('phone', {
          type: 'tel',
          autoComplete: 'tel',
          inputMode: 'tel',
          optional: true,
          hint: 'Any format is accepted',
        })}
        {line('service', {
          optional: true,
          hint: 'How can we help?',
          options: [['', 'Select a service'], ...Object.entries(contactServices)],
        })}
      </div>
      {line('message', { rows: 4, required: true })}
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
function ErrorSummary({ errors }: Pick<FieldFaults, 'errors'>) {
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

/** Enough of a proxy's error page to recognize it. */
const MAX_RAW = 200;

const TRY_AGAIN = 'There was a problem sending your message. Please try again.';

function saysWhy(error: Error): boolean {
  return error instanceof CallError && error.body !== '';
}

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
