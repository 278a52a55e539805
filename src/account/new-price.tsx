/** What a change would cost, before it is confirmed. */
import { useEffect, useRef } from 'react';
import { dayIn } from '../company/company-time.ts';
import { cents, formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import type { ToldAccount, ToldPreview } from './read-account.ts';

export function NewPrice({ preview, account }: { preview: ToldPreview; account: ToldAccount }) {
  const { company } = useSite();
  const { monthly, difference, next } = preview;
  const size = formatDollars(cents(Math.abs(difference)));
  const more = difference >= 0 ? `${size} more` : `${size} less`;
  const rows = [
    ['New monthly total', formatDollars(monthly)],
    ['For the rest of this month', difference === 0 ? '$0.00' : more],
    [`Next bill on ${dayIn(company, Date.parse(next.at))}`, formatDollars(next.total)],
  ];
  const before = account.order.amount;
  const box = useRef<HTMLDivElement>(null);
  // A double press shows the price and confirms nothing.
  useEffect(() => box.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce one more group of fields
    <div
      ref={box}
      role="group"
      aria-label="New price"
      tabIndex={-1}
      className="rounded-control border border-line bg-paper p-4 text-sm"
    >
      <dl className="grid gap-2 tabular-nums">
        {rows.map(([term, amount]) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-4 text-ink">
            <dt>{term}</dt>
            <dd className="ml-auto font-medium">{amount}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3">
        {before !== null && `You pay ${formatDollars(before)} a month now. `}
        Nothing is charged today: the difference for the rest of this month is part of your next
        bill{next.tax > 0 ? ', and the sales tax is in it' : ''}.
      </p>
    </div>
  );
}
