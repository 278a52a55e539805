import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { readVisitor, type VisitorDetails } from '../contact/visitor.ts';
import { MAX_CHAT_NAME, MAX_EMAIL } from '../limits.ts';
import { emailField, singleLine, visibleLine } from '../platform/fields.ts';
import { useSite } from '../platform/site.ts';
import { Button, CloseButton } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/fields.tsx';

interface ContactInfoFormProps {
  /** The message to send next; '' if the visitor only corrects the details. */
  message: string;
  /** Details given earlier in this conversation. */
  initial: VisitorDetails | null;
  sending: boolean;
  onConfirm: (details: VisitorDetails) => void;
  onClose: () => void;
}

const contactInfo = z.object({
  name: singleLine({ min: 1, max: MAX_CHAT_NAME, tooShort: 'Name is required' }),
  email: emailField(),
});

/** Asks for name and email once per conversation, in place of the message box. */
export function ContactInfoForm(props: ContactInfoFormProps) {
  const { message, initial, sending, onConfirm, onClose } = props;
  const [details, setDetails] = useState(() => initial ?? readVisitor() ?? { name: '', email: '' });
  const [touched, setTouched] = useState({ name: false, email: false });
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const { mail } = useSite();
  const { data: complete, error } = contactInfo.safeParse(details);
  const errorOf = (field: keyof VisitorDetails) =>
    error?.issues.find(({ path }) => path[0] === field)?.message;
  const noEmail = visibleLine(details.email).trim() === '';
  const errors = {
    name: errorOf('name'),
    email: noEmail ? 'Email address is required' : errorOf('email'),
  };
  const canSend = complete !== undefined && !sending;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (canSend) onConfirm(complete);
  }

  /** Programs that fill in write without an event. */
  function readFields() {
    const typed = Object.fromEntries(new FormData(form.current ?? undefined));
    setDetails((current) => ({ ...current, ...typed }));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') flushSync(readFields);
    // The button is disabled while a field is invalid, so Enter shows the errors, and leads to one.
    if (event.key === 'Enter' && !complete) {
      flushSync(() => setTouched({ name: true, email: true }));
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
    if (event.key !== 'Escape') return;
    // Otherwise the panel would close too.
    event.stopPropagation();
    onClose();
  }

  const input = (field: keyof VisitorDetails, max: number) => ({
    name: field,
    autoComplete: field,
    maxLength: max,
    required: true,
    value: details[field],
    onChange: (event: { target: { value: string } }) =>
      setDetails({ ...details, [field]: event.target.value }),
    onBlur() {
      readFields();
      setTouched({ ...touched, [field]: true });
    },
  });

  return (
    <div
      role="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-subtitle`}
      onKeyDown={onKeyDown}
      className="min-h-0 scroll-pt-4 scroll-pb-20 overflow-y-auto border-t border-line p-4"
    >
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h3 id={`${id}-title`} className="text-base">
            How can we reach you?
          </h3>
          <p id={`${id}-subtitle`}>
            {mail
              ? 'We’ll answer here in the chat. If you leave before we do, we’ll email you.'
              : 'We’ll answer here in the chat.'}
          </p>
        </div>
        <CloseButton aria-label="Back to your message" onClick={onClose} className="-mt-2 -mr-2" />
      </div>
      {message && <p className="mt-1 mb-3 truncate border-l-2 border-primary pl-2">{message}</p>}
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        onPointerEnter={readFields}
        className="grid gap-3"
      >
        <Field label="Name" error={touched.name ? errors.name : undefined}>
          <TextInput {...input('name', MAX_CHAT_NAME)} autoFocus={!canSend} />
        </Field>
        <Field label="Email" error={touched.email ? errors.email : undefined}>
          <TextInput {...input('email', MAX_EMAIL)} type="email" inputMode="email" />
        </Field>
        {/* In sight above a phone's keyboard, whatever the fields say. */}
        <div className="sticky -bottom-4 -mx-4 -mb-4 grid bg-surface px-4 pt-2 pb-4">
          <Button type="submit" disabled={!canSend} autoFocus={canSend}>
            {message ? 'Send Message' : 'Save'}
          </Button>
        </div>
      </form>
    </div>
  );
}
