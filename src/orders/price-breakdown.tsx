import type { ReactNode } from 'react';
import { type PriceLine, SALES_TAX } from '../catalogue/pricing.ts';
import { type Cents, formatDollars, withCommas } from '../platform/money.ts';

interface PriceBreakdownProps {
  lines: readonly PriceLine[];
  /** The monthly discount; null or missing when there is none. */
  off?: { label: string; amount: Cents } | null;
  /** What the provider adds, once that is known. */
  tax?: Cents;
  /** Shown as the last line, where it stands nowhere else. */
  total?: Cents;
  /** There is no count to reckon with; the lines keep their places, so that nothing jumps while one is typed. */
  usersUnknown?: boolean;
}

/** The arithmetic line by line: what is counted, at what price, and what it comes to each month. */
export function PriceBreakdown(props: PriceBreakdownProps) {
  const { lines, off, tax, total, usersUnknown = false } = props;
  return (
    <dl aria-label="Price breakdown" className="grid gap-3 text-sm tabular-nums">
      {lines.map(({ kind, label, unitPrice, quantity, amount }) =>
        kind === 'plan' ? (
          <Line key={kind} amount={formatDollars(amount)}>{`${label} plan`}</Line>
        ) : (
          <Line key={kind} amount={usersUnknown ? '—' : formatDollars(amount)}>
            {label}
            <span className="block text-muted">
              {`${usersUnknown ? '—' : withCommas(quantity)}\u00a0${quantity === 1 ? 'user' : 'users'} ×\u00a0${formatDollars(unitPrice)}`}
            </span>
          </Line>
        ),
      )}
      {off && <Line amount={`−${formatDollars(off.amount)}`}>{off.label}</Line>}
      {tax ? <Line amount={formatDollars(tax)}>{SALES_TAX}</Line> : null}
      {total !== undefined && (
        <Line amount={formatDollars(total)} look="border-t border-line pt-3 font-semibold">
          Monthly total
        </Line>
      )}
    </dl>
  );
}

/** An amount goes under its words only where large letters leave no room beside them. */
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
