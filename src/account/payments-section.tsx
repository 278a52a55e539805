/** What has been paid, each with its receipt, and the address that receipts bear. */
import { dayIn } from '../company/company-time.ts';
import { hashOf } from '../orders/order-route.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { BillingAddress } from './billing-address.tsx';
import type { ToldPayment } from './read-account.ts';
import type { AccountPart } from './use-account.ts';

const STATES: Record<ToldPayment['state'], string> = {
  paid: 'Paid',
  open: 'Overdue',
  waived: 'No longer due',
};

export function PaymentsSection({ token, account, acting }: AccountPart) {
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
      <BillingAddress {...{ token, account, acting }} />
    </section>
  );
}

function PaymentRow({ payment, token }: { payment: ToldPayment; token: string }) {
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
