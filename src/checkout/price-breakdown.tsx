import { type PriceLine, SALES_TAX } from '../catalogue/pricing.ts';
import { type Cents, formatDollars } from '../platform/money.ts';

interface PriceBreakdownProps {
  lines: readonly PriceLine[];
  /** What the provider adds, once that is known. */
  tax?: Cents;
}

/** The arithmetic line by line: what is counted, at what price, and what it comes to each month. */
export function PriceBreakdown({ lines, tax }: PriceBreakdownProps) {
  return (
    <dl aria-label="Price breakdown" className="grid gap-3 text-sm tabular-nums">
      {lines.map(({ kind, label, unitPrice, quantity, amount }) => (
        <div key={kind} className="flex items-baseline justify-between gap-6">
          <dt className="min-w-0 text-ink">
            {kind === 'plan' ? `${label} plan` : label}
            {kind !== 'plan' && (
              <span className="block text-muted">
                {quantity} {quantity === 1 ? 'user' : 'users'} × {formatDollars(unitPrice)}
              </span>
            )}
          </dt>
          <dd className="shrink-0 text-ink">{formatDollars(amount)}</dd>
        </div>
      ))}
      {tax ? (
        <div className="flex items-baseline justify-between gap-6 text-ink">
          <dt>{SALES_TAX}</dt>
          <dd>{formatDollars(tax)}</dd>
        </div>
      ) : null}
    </dl>
  );
}
