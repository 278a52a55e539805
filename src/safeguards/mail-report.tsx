/** The report by email. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { INVALID_EMAIL, isEmail } from '../platform/fields.ts';
import { Button } from '../ui/button.tsx';
import { Field, HiddenField, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Answers, SEND_REPORT } from './check.ts';

const NOT_SENT = 'We couldn’t reach our server. Please try again, or print this page.';

export function MailReport({ answers }: { answers: Answers }) {
  const [fault, setFault] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const sending = useMutation({
    mutationFn: ({ email, website }: { email: string; website: string }) =>
      fetchCall(SEND_REPORT, { body: { email, answers, ...(website && { website }) } }),
    onError: (error) => {
      const errors = error instanceof CallError ? error.errors : [];
      refuse(errors.find(({ path }) => path === 'email')?.message);
    },
  });
  const { error, isPending, isSuccess, variables } = sending;

  function refuse(message: string | undefined) {
    setFault(message);
    if (message) input.current?.focus();
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const email = String(data.get('email')).trim();
    sending.reset();
    refuse(isEmail(email) ? undefined : INVALID_EMAIL);
    if (isEmail(email)) sending.mutate({ email, website: String(data.get('website')) });
  }

  return (
    <form
      noValidate
      onSubmit={send}
      aria-label="Email me this report"
      className="relative grid gap-4 rounded-card border border-line bg-paper p-6"
    >
      <h3 className="text-lg">Email me this report</h3>
      <p className="text-sm">
        One email, to this address only. We keep the address and the result for one day, so that
        nobody can flood it, and add you to no list.
      </p>
      <Field label="Email" error={fault}>
        {(control) => (
          <TextInput
            {...control}
            ref={input}
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            maxLength={254}
            required
          />
        )}
      </Field>
      <HiddenField />
      {error && !fault && <Notice kind="error">{reasonOf(error, NOT_SENT)}</Notice>}
      {isSuccess && (
        <Notice kind="success">
          The report is on its way to <bdi className="wrap-anywhere">{variables.email}</bdi>.
        </Notice>
      )}
      <Button type="submit" busy={isPending} className="justify-self-start">
        Email the report
      </Button>
    </form>
  );
}
