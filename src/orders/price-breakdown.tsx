import { type PriceLine, SALES_TAX } from '../catalogue/pricing.ts';
import { type Cents, formatDollars, withCommas } from '../platform/money.ts';

interface PriceBreakdownProps {
  lines: readonly PriceLine[];
  /** What comes off each month, where there is something. */
  off?: { label: string; amount: Cents } | null;
  /** What the provider adds, once that is known. */
  tax?: Cents;
  /** Shown as the last line, where it stands nowhere else. */
  total?: Cents;
  /** There is no count to reckon with; the lines keep their places, so that nothing jumps while one is typed. */
  usersUnknown?: boolean;
}

/** An amount goes under its words only where large letters leave no room beside them. */
const LINE = 'flex flex-wrap items-baseline justify-between gap-x-4 text-ink';
const WORDS = 'min-w-0 flex-[1_1_7rem]';
const AMOUNT = 'ml-auto';

/** The arithmetic line by line: what is counted, at what price, and what it comes to each month. */
export function PriceBreakdown(props: PriceBreakdownProps) {
  const { lines, off, tax, total, usersUnknown = false } = props;
  return (
    <dl aria-label="Price breakdown" className="grid gap-3 text-sm tabular-nums">
      {lines.map(({ kind, label, unitPrice, quantity, amount }) => (
        <div key={kind} className={LINE}>
          <dt className={WORDS}>
            {kind === 'plan' ? `${label} plan` : label}
            {kind !== 'plan' && (
              <span className="block text-muted">
                {`${usersUnknown ? '—' : withCommas(quantity)}\u00a0${quantity === 1 ? 'user' : 'users'} ×\u00a0${formatDollars(unitPrice)}`}
              </span>
            )}
          </dt>
          <dd className={AMOUNT}>
            {kind !== 'plan' && usersUnknown ? '—' : formatDollars(amount)}
          </dd>
        </div>
      ))}
      {off && (
        <div className={LINE}>
          <dt className={WORDS}>{off.label}</dt>
          <dd className={AMOUNT}>−{formatDollars(off.amount)}</dd>
        </div>
      )}
      {tax ? (
        <div className={LINE}>
          <dt className={WORDS}>{SALES_TAX}</dt>
          <dd className={AMOUNT}>{formatDollars(tax)}</dd>
        </div>
      ) : null}
      {total !== undefined && (
        <div className={`${LINE} border-t border-line pt-3 font-semibold`}>
          <dt className={WORDS}>Monthly total</dt>
          <dd className={AMOUNT}>{formatDollars(total)}</dd>
        </div>
      )}
    </dl>
  );
}
