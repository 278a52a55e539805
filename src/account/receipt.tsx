/** One payment on one sheet of paper: who paid whom, for what, and how. */
import Printer from 'lucide-react/icons/printer';
import { useEffect, useRef } from 'react';
import { SALES_TAX } from '../catalogue/pricing.ts';
import { dayIn } from '../company/hours.ts';
import { orderReference } from '../orders/order.ts';
import { hashOf } from '../orders/order-api.ts';
import { cents, formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import type { Account, Payment } from './account-api.ts';

interface ReceiptProps {
  token: string;
  account: Account;
  payment: Payment;
  /** No money moves. */
  test: boolean;
}

const CHANGES = 'Changes during the month before';

export function Receipt({ token, account, payment, test }: ReceiptProps) {
  const { company } = useSite();
  const { order, billingAddress } = account;
  const { legalName, address, phone, email } = company;
  const { at, periodStart, periodEnd, number, brand, last4 } = payment;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, []);
  const day = (time: string) => dayIn(company, Date.parse(time));
  return (
    <article className="max-w-3xl text-sm text-ink">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 ref={heading} tabIndex={-1} className="text-2xl tracking-[-0.03em] outline-none">
          Receipt
        </h1>
        <Button variant="quiet" onClick={() => window.print()}>
          <Printer className="size-4" />
          Print
        </Button>
      </div>
      {test && <p className="mt-2">Test mode: no money was taken.</p>}
      <div className="mt-6 grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <address className="not-italic">
          <strong className="font-medium">{legalName}</strong>
          <br />
          {address.street}
          <br />
          {address.city}, {address.region} {address.postalCode}
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
      <Facts>
        {number && <Fact term="Receipt">{number}</Fact>}
        <Fact term="Order">{orderReference(order.id)}</Fact>
        <Fact term="Date">{day(at)}</Fact>
        {periodStart && periodEnd && (
          <Fact term="Period">
            {day(periodStart)} to {day(periodEnd)}
          </Fact>
        )}
      </Facts>
      <Amounts account={account} payment={payment} />
      <p className="mt-6">{brand && last4 ? `Paid with ${brand} ending in ${last4}.` : 'Paid.'}</p>
      <p className="mt-8 print:hidden">
        <a
          href={hashOf({ token })}
          className="inline-flex min-h-11 items-center text-primary underline underline-offset-4"
        >
          Back to your order
        </a>
      </p>
    </article>
  );
}

/** The lines of the month that was billed, and what changes in the month before have added or taken off. */
function Amounts({ account: { order }, payment }: Pick<ReceiptProps, 'account' | 'payment'>) {
  const { amount, tax, lines } = payment;
  const before = cents(amount - tax);
  const changes = cents(before - lines.reduce((total, line) => total + line.amount, 0));
  const words = (line: (typeof lines)[number]) =>
    line.kind === 'plan'
      ? `${line.label} plan`
      : `${line.label}, ${line.quantity} ${line.quantity === 1 ? 'user' : 'users'} × ${formatDollars(line.unitPrice)}`;
  const rows: [string, string][] =
    lines.length > 0
      ? [
          ...lines.map((line): [string, string] => [words(line), formatDollars(line.amount)]),
          ...(changes === 0 ? [] : [[CHANGES, formatDollars(changes)] satisfies [string, string]]),
        ]
      : [[`${order.planName} plan with its options`, formatDollars(before)]];
  return (
    <table className="mt-6 w-full text-left tabular-nums">
      <caption className="sr-only">What was paid</caption>
      <tbody>
        {[...rows, [SALES_TAX, formatDollars(tax)]].map(([what, sumOfIt]) => (
          <tr key={what} className="border-b border-line *:py-2">
            <th scope="row" className="pr-4 font-normal">
              {what}
            </th>
            <td className="text-right">{sumOfIt}</td>
          </tr>
        ))}
        <tr className="font-semibold *:py-2">
          <th scope="row">Total</th>
          <td className="text-right">{formatDollars(amount)}</td>
        </tr>
      </tbody>
    </table>
  );
}
