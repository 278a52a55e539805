import CreditCard from 'lucide-react/icons/credit-card';
import type { Price } from '../catalogue/pricing.ts';
import { PriceBreakdown } from '../orders/price-breakdown.tsx';

interface OrderInBriefProps {
  plan: { name: string };
  price: Price;
  onChange: () => void;
}

/** What is being bought, how it is paid and what it comes to: in sight while the card is typed in. */
export function OrderInBrief({ plan, price, onChange }: OrderInBriefProps) {
  return (
    <div className="rounded-control bg-paper px-4 pt-1 pb-4 text-sm lg:sticky lg:top-0">
      <p className="flex flex-wrap items-center justify-between gap-x-4">
        <span id="selected-plan" className="min-w-0 flex-[1_1_7rem] font-medium text-ink">
          <span className="font-normal text-muted">Selected plan: </span>
          {plan.name}
        </span>
        <button
          type="button"
          onClick={onChange}
          aria-describedby="selected-plan"
          className="min-h-11 font-medium text-primary underline underline-offset-4"
        >
          Change
        </button>
      </p>
      <PriceBreakdown lines={price.lines} total={price.total} />
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-ink">
        <CreditCard className="size-4.5 text-primary" />
        <span className="text-muted">Payment method:</span> Credit card
      </p>
    </div>
  );
}
