/** The report by email. Without script the browser posts the form, and a page says what came of it. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CallError, fetchCall } from '../platform/old/fetch-call.ts';
import { fields, flag } from '../platform/old/read.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { HiddenField } from '../ui/fields/hidden-field.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { Notice } from '../ui/notice.tsx';
import { EMAIL_REPORT_PATH, SEND_REPORT } from './safeguards-address.ts';
import type { Filled } from './score.ts';

const readSent = fields<{ sent: boolean }>({ sent: flag });
const NOT_SENT = 'We couldn’t reach our server. Please try again, or print this page.';
const INVALID = 'Please enter a valid email address';

export function MailReport({ filled: { answers, store } }: { filled: Filled }) {
  const [outcome, setOutcome] = useState<{ fault?: string; problem?: string; sentTo?: string }>({});
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (outcome.fault) input.current?.focus();
  }, [outcome]);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const email = String(data.get('email')).trim();
    if (!input.current?.validity.valid) return setOutcome({ fault: INVALID });
    const website = String(data.get('website'));
    setBusy(true);
    try {
      const body = { email, answers, ...(website && { website }) };
      await fetchCall(SEND_REPORT, readSent, { body });
      setOutcome({ sentTo: email });
    } catch (error) {
      const { errors = [], reason = '' } = error instanceof CallError ? error : {};
      const fault = errors.find(({ path }) => path === 'email')?.message;
      setOutcome(fault ? { fault } : { problem: reason || NOT_SENT });
    }
    setBusy(false);
  }

  const { fault, problem, sentTo } = outcome;
  return (
    <form
      method="post"
      action={EMAIL_REPORT_PATH}
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
      {Object.entries(answers).map(([id, answer]) => (
        <input key={id} type="hidden" name={id} value={answer} />
      ))}
      <input type="hidden" name="store" value={store} />
      <HiddenField />
      {problem && <Notice kind="error">{problem}</Notice>}
      {sentTo && (
        <Notice kind="success">
          The report is on its way to <bdi className="wrap-anywhere">{sentTo}</bdi>.
        </Notice>
      )}
      <Button type="submit" busy={busy} className="justify-self-start">
        Email the report
      </Button>
    </form>
  );
}
