import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { knownVisitor, type VisitorDetails } from '../contact/visitor-details.ts';
import { INVALID_EMAIL, isEmail, MAX_EMAIL } from '../platform/fields.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/fields/field.tsx';
import { HiddenField } from '../ui/fields/hidden-field.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { MAX_NAME } from './chat-message.ts';

interface ContactInfoDialogProps {
  open: boolean;
  sending: boolean;
  onConfirm: (details: VisitorDetails, website: string) => void;
  onClose: () => void;
}

/** Who is asking, before a chat message goes out. What is known in this tab already stands there. */
export function ContactInfoDialog({ open, ...rest }: ContactInfoDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={rest.onClose}
      title="How can we reach you?"
      subtitle="So we can reply if you leave."
    >
      <ContactInfoForm {...rest} />
    </Dialog>
  );
}

type Touched = Record<keyof VisitorDetails, boolean>;

function ContactInfoForm({ sending, onConfirm }: Omit<ContactInfoDialogProps, 'open'>) {
  const [details, setDetails] = useState(() => knownVisitor() ?? { name: '', email: '' });
  const [touched, setTouched] = useState<Touched>({ name: false, email: false });
  const name = details.name.trim();
  const email = details.email.trim();
  const faults = {
    name: name === '' ? 'Name is required' : undefined,
    email: email === '' ? 'Email address is required' : isEmail(email) ? undefined : INVALID_EMAIL,
  };
  const complete = !faults.name && !faults.email;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const website = new FormData(event.currentTarget).get('website');
    if (complete && !sending) onConfirm({ name, email }, String(website ?? ''));
  }

  /** The button is disabled while something is missing: Enter then says what. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && !complete) setTouched({ name: true, email: true });
  }

  const input = (field: keyof VisitorDetails, max: number) => ({
    name: field,
    autoComplete: field,
    maxLength: max,
    required: true,
    value: details[field],
    onChange: (event: { target: { value: string } }) =>
      setDetails({ ...details, [field]: event.target.value }),
    onBlur: () => setTouched({ ...touched, [field]: true }),
    'data-first-focus': field === 'name' && !complete ? true : undefined,
  });

  return (
    <form noValidate onSubmit={submit} onKeyDown={onKeyDown} className="relative grid gap-5">
      <Field label="Name" error={touched.name ? faults.name : undefined}>
        {(control) => <TextInput {...control} {...input('name', MAX_NAME)} />}
      </Field>
      <Field label="Email" error={touched.email ? faults.email : undefined}>
        {(control) => (
          <TextInput {...control} {...input('email', MAX_EMAIL)} type="email" inputMode="email" />
        )}
      </Field>
      <HiddenField />
      <Button
        type="submit"
        size="large"
        busy={sending}
        disabled={!complete}
        data-first-focus={complete || undefined}
      >
        Send Message
      </Button>
    </form>
  );
}
