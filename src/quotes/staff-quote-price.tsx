/** What a quote costs, beside the form in which staff write it. */
import type { Plan } from '../catalogue/catalogue.ts';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import {
  dueToday,
  hasOwnStart,
  isOffered,
  monthInWords,
  type Price,
} from '../catalogue/pricing.ts';
import { formatDollars, fromDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { paidInWords, priceOfChoice } from './quote.ts';
import type { StaffQuoteBody } from './quote-api.ts';

/** What the server will compute; null while it can't be said. */
export function usePrice(typed: StaffQuoteBody | undefined, plans: readonly Plan[]): Price | null {
  const { addOns } = useSite();
  const plan = plans.find(({ id }) => id === typed?.planId);
  if (!typed || !plan || !addOns) return null;
  const { ms365Option, ms365Users, includeCloudBackup, discount, startsOn } = typed;
  const isComplete = ms365Option === 'none' || ms365Users > 0;
  if (!isComplete || !isOffered(addOns, ms365Option)) return null;
  const once = typed.once
    .filter((line) => line !== null)
    .map(({ label, amount }) => ({ label: label || '…', amount: fromDollars(amount) }));
  const quoted = {
    ...{ ms365Option, ms365Users, includeCloudBackup, startsOn },
    discount: discount?.value ? discount : null,
    once: once.filter(({ amount }) => amount > 0),
  };
  return priceOfChoice(plan, quoted, addOns)?.price ?? null;
}

/** The sum as it grows; on a phone its total is in the foot. */
export function Sum({ price, dueDays }: { price: Price | null; dueDays: number | null }) {
  return (
    <aside
      aria-label="Price"
      className="grid content-start gap-4 self-start rounded-card bg-paper p-5 text-sm max-lg:hidden lg:sticky lg:top-0"
    >
      {price ? <PriceBreakdown price={price} /> : <p>Choose a plan to see its price.</p>}
      <Total price={price} className="border-t border-line pt-4" />
      <p>{paidInWords({ dueDays }) ?? 'By card'}</p>
    </aside>
  );
}

export function Total({ price, className }: { price: Price | null; className: string }) {
  return (
    <div className={`grid gap-1 text-sm text-ink ${className}`}>
      <output className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>{monthInWords(price ?? { startsOn: null })}</span>
        <span className="text-xl font-semibold tabular-nums">
          {price ? formatDollars(price.total) : '—'}
        </span>
      </output>
      {price && hasOwnStart(price) && (
        <span className="flex flex-wrap justify-between gap-x-4">
          <span>Due on acceptance</span>
          <span className="tabular-nums">{formatDollars(dueToday(price))}</span>
        </span>
      )}
    </div>
  );
}
