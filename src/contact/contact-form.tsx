import type { ComponentProps, FormEvent, MouseEvent } from 'react';
import { Button } from '../ui/button.tsx';
import { Field, Select, Textarea, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { CONTACT_FIELDS, type ContactFaults, SERVICE_CHOICES } from './contact.ts';
import { type ReturnedMessage, useContactForm } from './use-contact-form.ts';

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

/** Works without script too: then the browser posts it, and the server answers with a page. */
export function ContactForm({ returned }: { returned?: ReturnedMessage }) {
  const { form, outcome, faults, problem, reference, sending, submit, clearFault } =
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
      <div ref={outcome} tabIndex={-1} className="empty:hidden">
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
