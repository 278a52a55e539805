import { MAX_EMAIL } from '../limits.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { CallForm } from '../ui/call-form.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Answers, SEND_REPORT } from './check.ts';

export function MailReport({ answers }: { answers: Answers }) {
  return (
    <CallForm
      label="Email me this report"
      schema={SEND_REPORT.body}
      read={(field) => ({ email: field('email'), answers })}
      save={async (body) => ({ ...(await fetchCall(SEND_REPORT, { body })), email: body.email })}
      failed="We couldn’t reach our server. Please try again, or print this page."
      button="Email the report"
      className="rounded-card border border-line bg-paper p-6"
    >
      {(line, sent) => (
        <>
          <h3 className="text-lg">Email me this report</h3>
          <p className="text-sm">
            We send one email, to this address only. To prevent abuse, we keep the address and the
            result for one day. We don’t add you to any list.
          </p>
          {line('Email', 'email', {
            type: 'email',
            autoComplete: 'email',
            inputMode: 'email',
            maxLength: MAX_EMAIL,
            required: true,
          })}
          {sent && (
            <Notice kind="success">
              The report is on its way to <bdi className="wrap-anywhere">{sent.email}</bdi>.
            </Notice>
          )}
        </>
      )}
    </CallForm>
  );
}
