/** What has been paid, each with its receipt, and the address that receipts bear. */
import { type FormEvent, useState } from 'react';
import { dayIn } from '../company/hours.ts';
import { hashOf } from '../orders/order-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Payment, SET_ADDRESS } from './account-api.ts';
import { type AccountPart, useChange } from './use-account.ts';

const STATES: Record<Payment['state'], string> = {
  paid: 'Paid',
  open: 'Overdue',
  waived: 'No longer due',
};

export function PaymentsSection({ token, account }: AccountPart) {
  const { payments } = account;
  return (
    <section
      aria-label="Payments"
      className="mt-6 rounded-card border border-line bg-surface p-6 sm:p-8"
    >
      <h2 className="text-lg">Payments</h2>
      {payments.length === 0 ? (
        <p className="mt-4 text-sm">No payments yet.</p>
      ) : (
        <table className="mt-4 w-full text-left text-sm tabular-nums">
          <thead>
            <tr className="border-b border-line text-muted *:py-2 *:pr-4 *:font-normal">
              <th scope="col">Date</th>
              <th scope="col" className="text-right">
                Amount
              </th>
              <th scope="col">Status</th>
              <th scope="col" className="print:hidden">
                <span className="sr-only">Receipt</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {payments.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} token={token} />
            ))}
          </tbody>
        </table>
      )}
      <BillingAddress {...{ token, account }} />
    </section>
  );
}

function PaymentRow({ payment, token }: { payment: Payment; token: string }) {
  const { company } = useSite();
  const { id, at, amount, state } = payment;
  const day = dayIn(company, Date.parse(at));
  return (
    <tr className="border-b border-line text-ink *:py-2 *:pr-4 last:border-b-0">
      <td>
        <time id={`payment-${id}`} dateTime={at}>
          {day}
        </time>
      </td>
      <td className="text-right">{formatDollars(amount)}</td>
      <td className={state === 'open' ? 'text-danger' : ''}>{STATES[state]}</td>
      <td className="text-right print:hidden">
        {state === 'paid' && (
          <a
            href={hashOf({ token, receipt: id })}
            aria-describedby={`payment-${id}`}
            className="inline-flex min-h-11 items-center text-primary underline underline-offset-4"
          >
            Receipt
          </a>
        )}
      </td>
    </tr>
  );
}

/** Shown, and edited in its place. */
function BillingAddress({ token, account: { billingAddress: address, mayChange } }: AccountPart) {
  const [draft, setDraft] = useState<string | null>(null);
  const { busy, problem, change, reset } = useChange(token);

  async function save(event: FormEvent) {
    event.preventDefault();
    const body = { token, address: draft ?? '' };
    if ((await change(() => fetchCall(SET_ADDRESS, { body }))) === null) setDraft(null);
  }

  if (draft === null)
    return (
      <div className="mt-5 flex flex-wrap items-start justify-between gap-3 border-t border-line pt-5 text-sm print:hidden">
        <div>
          <h3 className="text-sm font-medium text-ink">Billing address</h3>
          <p className="mt-1 whitespace-pre-line">
            {address ?? (mayChange ? 'Add an address, and your receipts will show it.' : 'None')}
          </p>
        </div>
        {mayChange && (
          <Button variant="quiet" size="small" onClick={() => setDraft(address ?? '')}>
            {address ? 'Edit address' : 'Add address'}
          </Button>
        )}
      </div>
    );
  return (
    <form
      noValidate
      onSubmit={save}
      aria-label="Billing address"
      className="mt-5 grid max-w-md gap-4 border-t border-line pt-5"
    >
      <Field label="Billing address" hint="It stands on your receipts. Up to 6 lines.">
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={4}
            maxLength={300}
            autoComplete="street-address"
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
        )}
      </Field>
      {problem && <Notice kind="error">{problem}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="small" busy={busy}>
          Save address
        </Button>
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            reset();
            setDraft(null);
          }}
        >
          Back
        </Button>
      </div>
    </form>
  );
}
