/** The receipt of one payment, which prints on one page. */
import { useEffect, useRef } from 'react';
import { orderReference } from '../billing/reference.ts';
import { cardName } from '../billing/subscription.ts';
import { lineInWords, listedLines, priceOf, SALES_TAX } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { dayOfYear, formatDay, periodInWords } from '../company/hours.ts';
import { writeOrderHash } from '../orders/order-api.ts';
import { Acceptance } from '../orders/order-card.tsx';
import { type Cents, cents, formatDollars, totalOf } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { ButtonLink, PrintButton } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { LargeAmount, WithSide } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import type { Payment } from './account-api.ts';
import type { AccountProps } from './use-account.ts';

interface PaidReceiptProps extends AccountProps {
  receipt: string;
}

export function PaidReceipt({ token, account, receipt }: PaidReceiptProps) {
  const payment = account.payments.find(
    ({ id, amount, state }) => id === receipt && amount > 0 && state === 'paid',
  );
  if (payment) return <Receipt token={token} account={account} payment={payment} />;
  return (
    <div className="mt-8 grid gap-4 text-sm">
      <Notice kind="warning">We can’t find that receipt.</Notice>
      <p>
        <TextLink href={writeOrderHash({ token })}>Back to your plan</TextLink>
      </p>
    </div>
  );
}

interface ReceiptProps extends Omit<PaidReceiptProps, 'receipt'> {
  payment: Payment;
}

function Receipt({ token, account, payment }: ReceiptProps) {
  const { company } = useSite();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, []);
  return (
    <div className="text-sm text-ink">
      <h1
        ref={heading}
        tabIndex={-1}
        className="text-2xl tracking-[-0.03em] outline-none"
      >{`Receipt from ${company.name}`}</h1>
      {account.test && <p className="mt-2">Test mode: no money moved.</p>}
      <WithSide
        label="What was paid, and what to do"
        side={
          <>
            <div>
              <p className="text-body">{payment.refunded > 0 ? 'Paid, net' : 'Paid'}</p>
              <LargeAmount amount={cents((payment.paid ?? payment.amount) - payment.refunded)} />
            </div>
            <div className="grid gap-3">
              <PrintButton variant="primary" />
              <ButtonLink href={writeOrderHash({ token })} variant="quiet">
                Back to your plan
              </ButtonLink>
            </div>
          </>
        }
      >
        <ReceiptSheet account={account} payment={payment} />
      </WithSide>
    </div>
  );
}

function ReceiptSheet({ account, payment }: Pick<ReceiptProps, 'account' | 'payment'>) {
  const { company } = useSite();
  const { order } = account;
  const billed = payment.billedTo ?? { ...order, billingAddress: account.billingAddress };
  const { legalName, address, phone, email } = company;
  const { at, periodStart, periodEnd, number } = payment;
  return (
    <article className="rounded-card border border-line bg-paper p-6 sm:p-8 print:border-0 print:bg-white print:p-0">
      <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
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
          {billed.company && <p className="font-medium">{billed.company}</p>}
          <p>{billed.name}</p>
          {billed.billingAddress && <p className="whitespace-pre-line">{billed.billingAddress}</p>}
          <p>{billed.email}</p>
        </div>
      </div>
      <DescriptionList
        items={{
          Receipt: number,
          Order: orderReference(order.id),
          Date: formatDay(company, Date.parse(at)),
          'Purchase order': payment.poNumber,
          Accepted: order.accepted && <Acceptance {...order.accepted} />,
          Period:
            periodStart &&
            periodEnd &&
            periodInWords(company, Date.parse(periodStart), Date.parse(periodEnd)),
        }}
      />
      <Amounts account={account} payment={payment} />
      <p className="mt-6">{paidBy(payment)}</p>
    </article>
  );
}

function cardOf({ brand, last4 }: Payment): string | null {
  return brand && last4 && cardName(brand, last4);
}

function paidBy(payment: Payment): string {
  const card = cardOf(payment);
  const { reference } = payment;
  if (card) return `Paid with ${card}.`;
  return reference ? `Paid: ${reference}.` : 'Paid.';
}

function PlainRow({ what, sum }: { what: string; sum: Cents }) {
  return (
    <tr className="*:py-2">
      <th scope="row" className="font-normal">
        {what}
      </th>
      <td className="text-right whitespace-nowrap">{signed(sum)}</td>
    </tr>
  );
}

function signed(sum: Cents): string {
  return `${sum < 0 ? '−' : ''}${formatDollars(cents(Math.abs(sum)))}`;
}

/** 'Refunded November 27', −110.00. The day is not known of what release 1.0 refunded. */
function refundRows({ refunded, refunds }: Payment, company: Company) {
  const known = refunds.map(({ at, amount }) => {
    const day = dayOfYear(company, Date.parse(at));
    const what = `${amount > 0 ? 'Refunded' : 'Refund returned'} ${day}`;
    return { at, what, sum: cents(-amount) };
  });
  const rest = cents(refunded - totalOf(refunds));
  return rest > 0 ? [{ at: '', what: 'Refunded', sum: cents(-rest) }, ...known] : known;
}

function Amounts({ account: { order }, payment }: Pick<ReceiptProps, 'account' | 'payment'>) {
  const { amount, tax, lines, once, paid } = payment;
  const { company } = useSite();
  const before = cents(amount - tax);
  // Release 1.0 did not store what is charged once.
  const others = cents(before - totalOf([...lines, ...once]));
  const rows = [...listedLines(priceOf(lines)), ...once].map((line) => [
    lineInWords(line),
    formatDollars(line.amount),
  ]);
  if (lines.length === 0 && payment.periodStart)
    rows.push([`${order.planName} plan with its options`, formatDollars(others)]);
  else if (others !== 0) rows.push(['Other amounts', formatDollars(others)]);
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
        {paid !== null && <PlainRow what="Paid" sum={paid} />}
        {refundRows(payment, company).map(({ at, ...row }) => (
          <PlainRow key={at} {...row} />
        ))}
        {payment.refunded > 0 && (
          <tr className="font-semibold *:py-2">
            <th scope="row">Paid, net</th>
            <td className="text-right">
              {formatDollars(cents((paid ?? amount) - payment.refunded))}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
