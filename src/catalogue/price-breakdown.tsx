import type { ReactNode } from 'react';
import { type Cents, formatDollars } from '../platform/money.ts';
import {
  dueToday,
  hasOwnStart,
  type LineParts,
  lineInParts,
  listedLines,
  monthInWords,
  type Price,
  type PriceLine,
  SALES_TAX,
} from './pricing.ts';

interface PriceBreakdownProps {
  price: Price;
  /** Left out where the page shows the total itself. */
  withTotal?: boolean;
  /** 'Due today': what is charged at once is said, where that is another sum. */
  due?: string | undefined;
  /** Shows dashes while the number of users is missing, so that the lines don't jump. */
  usersUnknown?: boolean;
}

export function PriceBreakdown(props: PriceBreakdownProps) {
  const { price, withTotal = false, due, usersUnknown = false } = props;
  return (
    <AmountList label="Price breakdown">
      {listedLines(price).map((line, index) => (
        <PricedLine key={index.toString()} line={line} usersUnknown={usersUnknown} />
      ))}
      {price.tax > 0 && <Amount name={SALES_TAX} sum={price.tax} />}
      {withTotal && <Amount name={monthInWords(price)} sum={price.total} isTotal />}
      {[...price.once.entries()].map(([place, { label, amount }]) => (
        <Amount key={`once ${place}`} name={label} quantity="Once" sum={amount} />
      ))}
      {due && hasOwnStart(price) && <Amount name={due} sum={dueToday(price)} isTotal />}
    </AmountList>
  );
}

const COLUMNS = '@lg:grid @lg:grid-cols-[minmax(0,1fr)_6rem_6rem_7rem] @lg:gap-x-4';

/** Amounts as every page lists them. On a sheet the rows are ruled, and a wide one has columns. */
export function AmountList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="text-sm tabular-nums in-data-sheet:@container">
      <p
        aria-hidden="true"
        className={`hidden pb-2 text-xs text-muted *:not-first:text-right ${COLUMNS}`}
      >
        {['Item', 'Qty', 'Unit', 'Amount'].map((head) => (
          <span key={head}>{head}</span>
        ))}
      </p>
      <dl aria-label={label} className="grid gap-3 in-data-sheet:gap-0">
        {children}
      </dl>
    </div>
  );
}

export function PricedLine(props: { line: PriceLine; usersUnknown?: boolean }) {
  const { line, usersUnknown = false } = props;
  const parts = lineInParts(line);
  return usersUnknown && parts.quantity ? (
    <Amount {...parts} quantity="— users" sum={null} />
  ) : (
    <Amount {...parts} sum={line.amount} />
  );
}

const RULED = `in-data-sheet:border-t in-data-sheet:py-3 in-data-sheet:has-[+[data-summed]]:mb-3.5 in-data-sheet:has-[+[data-summed]]:border-b ${COLUMNS}`;
const SUMMED = 'in-data-sheet:py-1.5 @lg:ml-[50%]';
const TOTAL =
  'border-t pt-3 font-semibold in-data-sheet:border-edge in-data-sheet:text-lg in-data-sheet:data-summed:mt-2.5 in-data-sheet:data-summed:pt-3.5';

interface AmountProps extends LineParts {
  /** Null shows a dash. What is taken off is negative. */
  sum: Cents | null;
  isTotal?: boolean;
  /** Under a list, in the right half of a wide sheet: a rule is only above the total. */
  isSummed?: boolean;
}

/** The amount wraps below its name only when enlarged text leaves no room beside it. */
export function Amount(props: AmountProps) {
  const { name, quantity, unitPrice, sum, isTotal = false, isSummed = false } = props;
  return (
    <div
      data-summed={isSummed || undefined}
      className={`flex flex-wrap items-baseline justify-between gap-x-4 border-line text-ink in-data-sheet:last:pb-0 ${isSummed ? SUMMED : RULED} ${isTotal ? TOTAL : ''}`}
    >
      <dt className="min-w-0 flex-[1_1_7rem] wrap-anywhere @lg:contents">
        {quantity ? <span>{name}</span> : name}
        {quantity && (
          <span className="block text-muted *:text-right @lg:contents">
            <span>{quantity}</span>
            {unitPrice && <span className="@lg:hidden"> × </span>}
            {unitPrice && <span>{unitPrice}</span>}
          </span>
        )}
      </dt>
      <dd className="ml-auto @lg:col-start-4">{sum === null ? '—' : formatDollars(sum)}</dd>
    </div>
  );
}
