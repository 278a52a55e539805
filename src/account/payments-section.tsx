/** The list of payments, the billing address, and a receipt that prints on one page. */
import { useEffect, useRef, useState } from 'react';
import { isOwed } from '../billing/invoice.ts';
import { orderReference } from '../billing/reference.ts';
import { lineInWords, SALES_TAX } from '../catalogue/pricing.ts';
import { formatDay } from '../company/hours.ts';
import { MAX_ADDRESS } from '../limits.ts';
import { INVOICE_WORDS } from '../orders/order.ts';
import { writeOrderHash } from '../orders/order-api.ts';
import { Acceptance } from '../orders/order-card.tsx';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { cents, formatDollars, totalOf } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { Button, PrintButton } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Notice } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.tsx';
import { type Payment, SET_ADDRESS } from './account-api.ts';
import { type AccountProps, UNREACHABLE, useChange } from './use-account.ts';

const STATES: Record<Payment['state'], string> = {
  paid: 'Paid',
  open: 'Overdue',
  to_confirm: 'To confirm',
  void: 'No longer due',
};

export function PaymentsSection({ token, account }: AccountProps) {
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
            <tr className="border-b border-line text-muted *:py-2 *:not-last:pr-4 *:font-normal">
              <th scope="col">Date</th>
              <th scope="col" className="text-right">
                Amount
              </th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>
            {payments.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} token={token} />
            ))}
          </tbody>
        </table>
      )}
      <BillingAddress token={token} account={account} />
    </section>
  );
}

function isLate({ state, invoiceState }: Payment): boolean {
  return invoiceState ? INVOICE_WORDS[invoiceState].tone === 'danger' : state === 'open';
}

function inWords({ state, invoiceState }: Payment): string {
  return invoiceState ? INVOICE_WORDS[invoiceState].customer : STATES[state];
}

/** Whether a part has come, and the rest is open. */
export function hasPart({ amount, remaining }: Payment): boolean {
  return remaining > 0 && remaining < amount;
}

function PaymentRow({ payment, token }: { payment: Payment; token: string }) {
  const { company } = useSite();
  const { id, at, amount, state, invoiceState, dueDay } = payment;
  const isOpen = isOwed(invoiceState);
  const day = formatDay(company, Date.parse(at));
  return (
    <tr className="border-b border-line text-ink *:py-2 *:not-last:pr-4 last:border-b-0">
      <td>
        <time id={`payment-${id}`} dateTime={at}>
          {day}
        </time>
      </td>
      <td className="text-right">{formatDollars(amount)}</td>
      <td>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <span className={isLate(payment) ? 'text-danger' : ''}>
            {inWords(payment)}
            {dueDay && isOpen && (
              <span className="block text-xs">{`due ${formatDate(dueDay)}`}</span>
            )}
            {isOpen && hasPart(payment) && (
              <span className="block text-xs">{`${formatDollars(payment.remaining)} still open`}</span>
            )}
          </span>
          {state === 'paid' && amount > 0 && (
            <a
              href={writeOrderHash({ token, receipt: id })}
              aria-describedby={`payment-${id}`}
              className="inline-flex min-h-11 items-center text-primary underline underline-offset-4 print:hidden"
            >
              Receipt
            </a>
          )}
        </div>
      </td>
    </tr>
  );
}

function BillingAddress({ token, account: { billingAddress: address, mayChange } }: AccountProps) {
  const [editing, setEditing] = useState(false);
  const { mutateAsync } = useChange(token);
  const { form, field, problem, sending, reset } = useForm({
    schema: SET_ADDRESS.body,
    read: (field) => ({ token, address: field('address') }),
    save: (body) => mutateAsync(() => fetchCall(SET_ADDRESS, { body })),
    onSaved: () => setEditing(false),
    failure: (error) => reasonOf(error, UNREACHABLE),
  });

  if (!editing)
    return (
      <div className="mt-5 flex flex-wrap items-start justify-between gap-3 border-t border-line pt-5 text-sm print:hidden">
        <div>
          <h3 className="text-sm font-medium text-ink">Billing address</h3>
          <p className="mt-1 whitespace-pre-line">
            {address ?? (mayChange ? 'Add an address, and your receipts will show it.' : 'None')}
          </p>
        </div>
        {mayChange && (
          <Button variant="quiet" size="small" onClick={() => setEditing(true)}>
            {address ? 'Edit address' : 'Add address'}
          </Button>
        )}
      </div>
    );
  return (
    <form
      noValidate
      {...form}
      aria-label="Billing address"
      className="mt-5 grid gap-4 border-t border-line pt-5 *:max-w-md"
    >
      {field('Billing address', 'address', {
        autoFocus: true,
        rows: 4,
        maxLength: MAX_ADDRESS,
        autoComplete: 'street-address',
        defaultValue: address ?? '',
        hint: 'Shown on your receipts. Up to 6 lines.',
      })}
      {problem && <Notice kind="error">{problem}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="small" busy={sending}>
          Save address
        </Button>
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            reset();
            setEditing(false);
          }}
        >
          Back
        </Button>
      </div>
    </form>
  );
}

interface ReceiptProps extends AccountProps {
  payment: Payment;
  /** Whether the test gateway took the payment. */
  test: boolean;
}

export function Receipt({ token, account, payment, test }: ReceiptProps) {
  const { company } = useSite();
  const { order, billingAddress } = account;
  const { legalName, address, phone, email } = company;
  const { at, periodStart, periodEnd, number } = payment;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, []);
  const day = (time: string) => formatDay(company, Date.parse(time));
  return (
    <article className="max-w-3xl text-sm text-ink">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 ref={heading} tabIndex={-1} className="text-2xl tracking-[-0.03em] outline-none">
          Receipt
        </h1>
        <PrintButton />
      </div>
      {test && <p className="mt-2">Test mode: no money was taken.</p>}
      <div className="mt-6 grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <address className="not-italic">
          <strong className="font-medium">{legalName}</strong>
          <br />
          {address.street}
          <br />
          <span>{`${address.city}, ${address.region} ${address.postalCode}`}</span>
          <br />
          {phone.display}
          <br />
          {email}
        </address>
        <div className="min-w-0 wrap-anywhere">
          <p className="text-muted">Billed to</p>
          {order.company && <p className="font-medium">{order.company}</p>}
          <p>{order.name}</p>
          {billingAddress && <p className="whitespace-pre-line">{billingAddress}</p>}
          <p>{order.email}</p>
        </div>
      </div>
      <DescriptionList
        items={{
          Receipt: number,
          Order: orderReference(order.id),
          Date: day(at),
          'Purchase order': payment.poNumber,
          Accepted: order.accepted && <Acceptance {...order.accepted} />,
          Period: periodStart && periodEnd && `${day(periodStart)} to ${day(periodEnd)}`,
        }}
      />
      <Amounts account={account} payment={payment} />
      <p className="mt-6">{paidBy(payment)}</p>
      <p className="mt-8 print:hidden">
        <a
          href={writeOrderHash({ token })}
          className="inline-flex min-h-11 items-center text-primary underline underline-offset-4"
        >
          Back to your order
        </a>
      </p>
    </article>
  );
}

function paidBy({ brand, last4, reference }: Payment): string {
  if (brand && last4) return `Paid with ${brand} ending in ${last4}.`;
  return reference ? `Paid: ${reference}.` : 'Paid.';
}

/** The lines of the invoiced month, plus prorations from the month before. */
function Amounts({ account: { order }, payment }: Pick<ReceiptProps, 'account' | 'payment'>) {
  const { amount, tax, lines, paid } = payment;
  const before = cents(amount - tax);
  const changes = cents(before - totalOf(lines));
  const rows = lines.map((line) => [lineInWords(line), formatDollars(line.amount)]);
  if (lines.length === 0 && payment.periodStart)
    rows.push([`${order.planName} plan with its options`, formatDollars(before)]);
  else if (changes !== 0) rows.push(['Changes during the month before', formatDollars(changes)]);
  rows.push([SALES_TAX, formatDollars(tax)]);
  return (
    <table className="mt-6 w-full text-left tabular-nums">
      <caption className="sr-only">What was paid</caption>
      <tbody>
        {rows.map(([what, sum]) => (
          <tr key={what} className="border-b border-line *:py-2">
            <th scope="row" className="pr-4 font-normal">
              {what}
            </th>
            <td className="text-right">{sum}</td>
          </tr>
        ))}
        <tr className="font-semibold *:py-2">
          <th scope="row">Total</th>
          <td className="text-right">{formatDollars(amount)}</td>
        </tr>
        {paid !== null && (
          <tr className="*:py-2">
            <th scope="row" className="font-normal">
              Paid
            </th>
            <td className="text-right">{formatDollars(paid)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
