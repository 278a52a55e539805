/** The receipt of one payment, which prints on one page. */
import { orderReference } from '../billing/reference.ts';
import { Amount, AmountList, PricedLine } from '../catalogue/price-breakdown.tsx';
import { listedLines, priceOf, SALES_TAX } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { dayOfYear, formatDay, periodInWords } from '../company/days.ts';
import { Paper } from '../company/paper.tsx';
import { writeOrderHash } from '../orders/order-api.ts';
import { Acceptance } from '../orders/order-card.tsx';
import { type Cents, cents, formatDollars, totalOf } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink, PrintButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import { DocumentTitle, LargeAmount, WithSide } from '../ui/sheet.tsx';
import type { Payment } from './own-page-api.ts';
import { cardOf, wordsOfMonth } from './payments-section.tsx';
import { type OwnPageProps, startHere } from './use-own-page.ts';

interface PaidReceiptProps extends OwnPageProps {
  receipt: string;
}

export function PaidReceipt({ token, page, receipt }: PaidReceiptProps) {
  const payment = page.payments.find(
    ({ id, amount, state }) => id === receipt && amount > 0 && state === 'paid',
  );
  if (payment) return <Receipt token={token} page={page} payment={payment} />;
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

function Receipt({ token, page, payment }: ReceiptProps) {
  const { company } = useSite();
  return (
    <>
      <DocumentTitle ref={startHere} className="outline-none print:hidden">
        {`Receipt from ${company.name}`}
      </DocumentTitle>
      {page.test && <p className="mt-2 text-sm print:hidden">Test mode: no money moved.</p>}
      <WithSide
        label="What was paid, and what to do"
        side={
          <>
            <div>
              <p className="text-muted">{payment.refunded > 0 ? NET : 'Amount paid'}</p>
              <LargeAmount amount={netOf(payment)} />
              <p className="mt-1">{`Paid ${formatDay(company, Date.parse(payment.at))}`}</p>
              {payment.refunded > 0 && <p>{`${formatDollars(payment.refunded)} refunded`}</p>}
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
        <ReceiptSheet page={page} payment={payment} />
      </WithSide>
    </>
  );
}

function ReceiptSheet({ page, payment }: Pick<ReceiptProps, 'page' | 'payment'>) {
  const { company } = useSite();
  const { order } = page;
  const billed = payment.billedTo ?? { ...order, billingAddress: page.billingAddress };
  const { at, periodStart, periodEnd, number, reference } = payment;
  return (
    <Paper
      label="The receipt"
      title={`Receipt ${number ?? ''}`}
      badge={
        <>
          <Badge tone={payment.refunded > 0 ? 'neutral' : 'primary'}>
            {wordsOfMonth(payment).customer}
          </Badge>
          {page.test && <Badge>Test</Badge>}
        </>
      }
      to="Billed to"
      party={[billed.company, billed.name, billed.billingAddress, billed.email]}
      facts={{
        Order: orderReference(order.id),
        Date: formatDay(company, Date.parse(at)),
        'Purchase order': payment.poNumber,
        Accepted: order.accepted && <Acceptance {...order.accepted} />,
        Period:
          periodStart &&
          periodEnd &&
          periodInWords(company, Date.parse(periodStart), Date.parse(periodEnd)),
        'Paid with': cardOf(payment) ?? reference,
      }}
    >
      <Amounts page={page} payment={payment} />
    </Paper>
  );
}

/** What was paid and not given back. */
function netOf({ amount, paid, refunded }: Payment): Cents {
  return cents((paid ?? amount) - refunded);
}

const NET = 'Paid, net';

/** 'Refunded November 27', −110.00. The day is not known of what release 1.0 refunded. */
function refundRows({ refunded, refunds }: Payment, company: Company) {
  const known = refunds.map(({ at, amount }) => {
    const day = dayOfYear(company, Date.parse(at));
    const name = `${amount > 0 ? 'Refunded' : 'Refund returned'} ${day}`;
    return { at, name, sum: cents(-amount) };
  });
  const rest = cents(refunded - totalOf(refunds));
  return rest > 0 ? [{ at: '', name: 'Refunded', sum: cents(-rest) }, ...known] : known;
}

function Amounts({ page: { order }, payment }: Pick<ReceiptProps, 'page' | 'payment'>) {
  const { amount, tax, lines, once, paid } = payment;
  const { company } = useSite();
  // Release 1.0 did not store what is charged once.
  const others = cents(amount - tax - totalOf([...lines, ...once]));
  const isUnlisted = lines.length === 0 && payment.periodStart !== null;
  return (
    <AmountList label="What was paid">
      {[...listedLines(priceOf(lines)), ...once].map((line, index) => (
        <PricedLine key={index.toString()} line={line} />
      ))}
      {(isUnlisted || others !== 0) && (
        <Amount
          name={isUnlisted ? `${order.planName} plan with its options` : 'Other amounts'}
          sum={others}
        />
      )}
      <Amount name={SALES_TAX} sum={tax} isSummed />
      <Amount name="Total" sum={amount} isSummed />
      <Amount name="Amount paid" sum={paid ?? amount} isSummed isTotal={payment.refunded === 0} />
      {refundRows(payment, company).map(({ at, ...row }) => (
        <Amount key={at} {...row} isSummed />
      ))}
      {payment.refunded > 0 && <Amount name={NET} sum={netOf(payment)} isSummed isTotal />}
    </AmountList>
  );
}
