import Check from 'lucide-react/icons/check';
import { formatDollars } from '../platform/money.ts';
import { Fold } from '../ui/fold.tsx';
import type { SoldPlan } from './catalogue.ts';
import type { Comparison } from './comparison.ts';

interface ComparisonProps {
  plans: readonly SoldPlan[];
  comparison: Comparison;
}

/** A table where there is room for one; on a phone each plan by itself, folded. */
export function ComparisonTable({ plans, comparison }: ComparisonProps) {
  return (
    <div className="mt-16 lg:mt-24">
      <h3 id="compare-plans" className="text-xl tracking-tight">
        Compare the plans
      </h3>
      <WholeTable plans={plans} comparison={comparison} />
      <div className="mt-4 border-t border-line md:hidden">
        {plans.map((plan, place) => (
          <PlanFold key={plan.id} plan={plan} place={place} comparison={comparison} />
        ))}
      </div>
    </div>
  );
}

function WholeTable({ plans, comparison: { caption, groups } }: ComparisonProps) {
  return (
    <table className="mt-6 hidden w-full table-fixed border-collapse text-left text-sm md:table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line align-bottom">
          <td className="w-2/5" />
          {plans.map(({ id, name, price }) => (
            <th key={id} scope="col" className="px-3 pb-3 font-semibold text-ink">
              <span className="block text-base">{name}</span>
              <span className="block font-normal text-muted tabular-nums">
                {formatDollars(price)} per month
              </span>
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ title, rows }) => (
        <tbody key={title}>
          <tr>
            <th
              scope="rowgroup"
              colSpan={plans.length + 1}
              className="pt-8 pb-3 text-sm font-semibold text-ink"
            >
              {title}
            </th>
          </tr>
          {rows.map(({ label, cells }) => (
            <tr key={label} className="border-t border-line">
              <th scope="row" className="py-2.5 pr-4 font-normal text-body">
                {label}
              </th>
              {plans.map(({ id }, place) => (
                <td key={id} className="px-3 py-2.5 text-ink">
                  <Cell value={cells[place] ?? false} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Cell({ value }: { value: boolean | string }) {
  if (typeof value === 'string') return value;
  return value ? (
    <Check aria-label="Included" role="img" className="size-5 text-primary" />
  ) : (
    <span className="text-muted">
      <span aria-hidden="true">—</span>
      <span className="sr-only">Not included</span>
    </span>
  );
}

interface PlanFoldProps {
  plan: SoldPlan;
  place: number;
  comparison: Comparison;
}

function PlanFold({ plan, place, comparison: { groups } }: PlanFoldProps) {
  return (
    <Fold
      summary={
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
          {plan.name}
          <span className="text-sm font-normal text-muted tabular-nums">
            {formatDollars(plan.price)} per month
          </span>
        </span>
      }
    >
      {groups.map(({ title, rows }) => (
        <div key={title} className="not-first:mt-6">
          <p className="text-sm font-semibold text-ink">{title}</p>
          <dl className="mt-2 text-sm">
            {rows.map(({ label, cells }) => (
              <div key={label} className="flex justify-between gap-4 border-t border-line py-2">
                <dt className="min-w-0 flex-1">{label}</dt>
                <dd className="max-w-1/2 text-right text-ink">
                  <Cell value={cells[place] ?? false} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </Fold>
  );
}
