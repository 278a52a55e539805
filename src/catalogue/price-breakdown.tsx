import type { ReactNode } from 'react';
import { formatDollars, withCommas } from '../platform/money.ts';
import {
  dueToday,
  hasOwnStart,
  lineInWords,
  listedLines,
  monthInWords,
  type Price,
  SALES_TAX,
} from './pricing.ts';

interface PriceBreakdownProps {
  price: Price;
  /** Left out where the page shows the total itself. */
  withTotal?: boolean;
  /** Says what is charged at once, where that is another sum. */
  withDue?: boolean;
  /** Shows dashes while the number of users is missing, so that the lines don't jump. */
  usersUnknown?: boolean;
}

export function PriceBreakdown(props: PriceBreakdownProps) {
  const { price, withTotal = false, withDue = false, usersUnknown = false } = props;
  return (
    <dl aria-label="Price breakdown" className="grid gap-3 text-sm tabular-nums">
      {listedLines(price).map(({ kind, label, unitPrice, quantity, amount }) =>
        kind !== 'microsoft365' && kind !== 'backup' ? (
          <Line key={kind + label} amount={formatDollars(amount)}>
            {lineInWords({ kind, label, unitPrice, quantity, amount })}
          </Line>
        ) : (
          <Line key={kind} amount={usersUnknown ? '—' : formatDollars(amount)}>
            <span>{label}</span>
            <span className="block text-muted">
              {`${usersUnknown ? '—' : withCommas(quantity)}\u00a0${quantity === 1 ? 'user' : 'users'} ×\u00a0${formatDollars(unitPrice)}`}
            </span>
          </Line>
        ),
      )}
      {price.tax > 0 && <Line amount={formatDollars(price.tax)}>{SALES_TAX}</Line>}
      {withTotal && (
        <Line amount={formatDollars(price.total)} look="border-t border-line pt-3 font-semibold">
          {monthInWords(price)}
        </Line>
      )}
      {[...price.once.entries()].map(([place, { label, amount }]) => (
        <Line key={`once ${place}`} amount={formatDollars(amount)}>
          <span>{label}</span>
          <span className="block text-muted">Once</span>
        </Line>
      ))}
      {withDue && hasOwnStart(price) && (
        <Line
          amount={formatDollars(dueToday(price))}
          look="border-t border-line pt-3 font-semibold"
        >
          Due today
        </Line>
      )}
    </dl>
  );
}

/** The amount wraps below its label only when enlarged text leaves no room beside it. */
function Line({
  amount,
  look = '',
  children,
}: {
  amount: string;
  look?: string;
  children: ReactNode;
}) {
  return (
    <div className={`flex flex-wrap items-baseline justify-between gap-x-4 text-ink ${look}`}>
      <dt className="min-w-0 flex-[1_1_7rem]">{children}</dt>
      <dd className="ml-auto">{amount}</dd>
    </div>
  );
}
