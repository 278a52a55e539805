import CreditCard from 'lucide-react/icons/credit-card';
import type { InDollars, Plan } from '../catalogue/catalogue.ts';
import type { Price } from '../catalogue/pricing.ts';
import { formatDollars } from '../platform/money.ts';
import { PriceBreakdown } from './price-breakdown.tsx';

interface OrderInBriefProps {
  plan: InDollars<Plan>;
  price: Price;
  onChange: () => void;
}

/** What is being bought, how it is paid and what it comes to: in sight while the card is typed in. */
export function OrderInBrief({ plan, price, onChange }: OrderInBriefProps) {
  return (
    <div className="rounded-control bg-paper px-4 pt-1 pb-4 text-sm">
      <p className="flex items-center justify-between gap-4">
        <span className="font-medium text-ink">
          <span className="font-normal text-muted">Selected plan: </span>
          {plan.name}
        </span>
        <button
          type="button"
          onClick={onChange}
          className="min-h-11 font-medium text-primary underline underline-offset-4"
        >
          Change<span className="sr-only"> the plan</span>
        </button>
      </p>
      <PriceBreakdown lines={price.lines} />
      <p className="mt-3 flex items-baseline justify-between gap-6 border-t border-line pt-3 font-semibold text-ink">
        Monthly total <span className="tabular-nums">{formatDollars(price.total)}</span>
      </p>
      <p className="mt-1 flex items-center gap-2 text-ink">
        <CreditCard className="size-4.5 text-primary" />
        <span className="text-muted">Payment method:</span> Credit card
      </p>
    </div>
  );
}
