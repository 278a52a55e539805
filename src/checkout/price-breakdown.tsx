import type { PriceLine } from '../catalogue/pricing.ts';
import { formatDollars } from '../platform/money.ts';

/** The arithmetic line by line: what is counted, at what price, and what it comes to each month. */
export function PriceBreakdown({ lines }: { lines: readonly PriceLine[] }) {
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
    </dl>
  );
}
