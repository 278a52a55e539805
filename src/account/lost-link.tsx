/** The link to an order is sent once more, to the email address with which it was bought. */
import { type FormEvent, useId, useState } from 'react';
import { reasonOf } from '../platform/fetch-call.ts';
import { INVALID_EMAIL, isEmail } from '../platform/fields.ts';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { fields, flag } from '../platform/old/read.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { Notice } from '../ui/notice.tsx';
import { SEND_LINKS } from './account-contracts.ts';

const readAsked = fields<{ asked: boolean }>({ asked: flag });
const NOT_SENT = 'We couldn’t reach our server. Please try again.';

interface LostLinkProps {
  /** Letters can be sent from here. */
  mail: boolean;
  heading?: string;
  lead?: string;
}

export default function LostLink({
  mail,
  heading = 'Lost your link?',
  lead = 'Enter the email address of your order, and we’ll email you the link.',
}: LostLinkProps) {
  const { phone } = useSite().company;
  const id = useId();
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);

  async function send(event: FormEvent) {
    event.preventDefault();
    const to = email.trim();
    setProblem(null);
    if (!isEmail(to)) {
      setFault(INVALID_EMAIL);
      document.getElementById(id)?.focus();
      return;
    }
    setBusy(true);
    try {
      await fetchCall(SEND_LINKS, readAsked, { body: { email: to } });
      setSentTo(to);
    } catch (error) {
      setSentTo(null);
      setProblem(reasonOf(error, NOT_SENT));
    } finally {
      setBusy(false);
    }
  }

  return (
    <section
      aria-label={heading}
      className="mt-8 rounded-card border border-line bg-paper p-6 sm:p-8 print:hidden"
    >
      <h2 className="text-lg">{heading}</h2>
      {mail ? (
        <form
          noValidate
          onSubmit={send}
          aria-label="Send my links"
          className="mt-3 grid max-w-md gap-4"
        >
          <p className="text-sm">{lead}</p>
          <Field id={id} label="Email" error={fault ?? undefined}>
            {(control) => (
              <TextInput
                {...control}
                type="email"
                autoComplete="email"
                maxLength={254}
                value={email}
                onChange={({ target }) => {
                  setEmail(target.value);
                  setFault(null);
                }}
              />
            )}
          </Field>
          {problem && <Notice kind="error">{problem}</Notice>}
          {sentTo && (
            <Notice kind="success">
              If we have orders for {sentTo}, their links are on the way. They work for 30 minutes.
              We send at most 3 of these emails an hour.
            </Notice>
          )}
          <Button type="submit" busy={busy} className="justify-self-start">
            Email my links
          </Button>
        </form>
      ) : (
        <p className="mt-3 text-sm">
          Please call{' '}
          <a href={`tel:${phone.tel}`} className="whitespace-nowrap text-primary underline">
            {phone.display}
          </a>
          , and we’ll find your order.
        </p>
      )}
    </section>
  );
}
