/** The change of prices that the customer was given notice of, with both prices and the way out. */
import { untilThen } from '../billing/notice.ts';
import { payingWords } from '../billing/subscription.ts';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { isHigher, priceOf } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import type { OrderView } from '../orders/order-api.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { ShownPriceChange } from './price-change-api.ts';

interface PriceChangeSectionProps {
  change: ShownPriceChange;
  order: OrderView;
  /** Null where the plan cannot be ended. */
  onEnd: (() => void) | null;
}

export function PriceChangeSection({ change, order, onEnd }: PriceChangeSectionProps) {
  const { company } = useSite();
  const day = formatDay(company, Date.parse(change.at));
  const ends = order.endsAt !== null;
  const isRaised = isHigher(change.before, change.after);
  const isDiscounted = order.price?.lines.some(({ kind }) => kind === 'discount');
  const advice = `If you don’t agree, cancel your plan before ${day}, and you’ll never pay the new price.`;
  return (
    <Sheet id="prices" aria-label="Your price changes" className="scroll-mt-28">
      <h2 className="text-lg">{`Your price changes on ${day}`}</h2>
      <p className="mt-3 text-sm">
        {[
          ends
            ? 'Your plan is set to end. If it ends before this day, you’ll never pay the new price.'
            : `The first ${payingWords(order.payment).charge} at the new price is on ${day}. ${untilThen(change.after)}`,
          ...(isRaised && !ends ? [advice] : []),
          ...(isDiscounted ? ['Your discount still applies.'] : []),
        ].join(' ')}
      </p>
      <div className="mt-5 grid gap-6 sm:grid-cols-2 sm:gap-10">
        {[
          { heading: 'Today', lines: change.before },
          { heading: `From ${day}`, lines: change.after },
        ].map(({ heading, lines }) => (
          <div key={heading}>
            <h3 className="mb-3 text-sm font-medium text-ink">{heading}</h3>
            <PriceBreakdown price={priceOf(lines)} withTotal />
          </div>
        ))}
      </div>
      {onEnd && isRaised && !ends && (
        <Button variant="quiet" className="mt-6 print:hidden" onClick={onEnd}>
          Cancel plan…
        </Button>
      )}
    </Sheet>
  );
}
