/** Links to orders are sent by email, to the address with which they were bought; one of these admits to changes. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { hashOf } from '../orders/order-api.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { INVALID_EMAIL, isEmail } from '../platform/fields.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { OPEN_ACCESS_LINK, SEND_LINKS } from './account-api.ts';
import { useChange } from './use-account.ts';

const NOT_SENT = 'We couldn’t reach our server. Please try again.';

interface LostLinkProps {
  /** Emails can be sent from here. */
  mail: boolean;
  heading?: string;
  lead?: string;
}

export function LostLink({
  mail,
  heading = 'Lost your link?',
  lead = 'Enter the email address of your order, and we’ll email you the link.',
}: LostLinkProps) {
  const { phone } = useSite().company;
  const id = useId();
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const sending = useMutation({
    mutationFn: (to: string) => fetchCall(SEND_LINKS, { body: { email: to } }),
  });

  function send(event: FormEvent) {
    event.preventDefault();
    const to = email.trim();
    if (isEmail(to)) return sending.mutate(to);
    setFault(INVALID_EMAIL);
    document.getElementById(id)?.focus();
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
          {sending.error && <Notice kind="error">{reasonOf(sending.error, NOT_SENT)}</Notice>}
          {sending.isSuccess && (
            <Notice kind="success">
              If we have orders for {sending.variables}, their links are on the way. They work for
              30 minutes. We send at most 3 of these emails an hour.
            </Notice>
          )}
          <Button type="submit" busy={sending.isPending} className="justify-self-start">
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

interface AskToChangeProps {
  token: string;
  /** What the link in the address admits with. */
  access: string | null;
  mail: boolean;
}

/** A receipt's link only shows the order: changes need a link that is requested by email, and works once. */
export function AskToChange({ token, access, mail }: AskToChangeProps) {
  const { busy, problem, change } = useChange(token);
  if (access === null || problem)
    return (
      <>
        {problem && (
          <div className="mt-8 print:hidden">
            <Notice kind="error">{problem}</Notice>
          </div>
        )}
        <LostLink
          mail={mail}
          heading="Change your plan"
          lead="This page only shows your order, so it’s safe to forward. To change your plan, enter the email address of your order, and we’ll email you a link that works once."
        />
      </>
    );

  async function open(link: string) {
    await change(() => fetchCall(OPEN_ACCESS_LINK, { body: { token, access: link } }));
    window.history.replaceState(null, '', hashOf({ token }));
  }
  return (
    <section
      aria-label="Change your plan"
      className="mt-8 rounded-card border border-line bg-paper p-6 sm:p-8 print:hidden"
    >
      <p className="text-sm">
        Your link lets you change this plan from this browser. It works once.
      </p>
      <Button busy={busy} onClick={() => open(access)} className="mt-4">
        Continue to my plan
      </Button>
    </section>
  );
}
