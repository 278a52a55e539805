import { formatDollars } from '../platform/money.ts';
import { Fold } from '../ui/fold.tsx';
import type { Comparison, Plan } from './catalogue.ts';

interface ComparisonProps {
  plans: readonly Plan[];
  comparison: Comparison;
}

/** What every row looks like is said once: there are twenty, in a table and three folds. */
const ROWS =
  '[&_tr:not(:first-child)]:border-t [&_tr]:border-line [&_td]:px-3 [&_td]:py-2.5 [&_td]:text-ink';

/**
 * A table where there is room for one; on a phone each plan by itself, folded. Nothing is drawn when a row does not say
 * how it is with a plan, which another instance's content may have brought.
 */
export function ComparisonTable({ plans, comparison }: ComparisonProps) {
  const rows = comparison.groups.flatMap((group) => group.rows);
  const isWhole = plans.every(({ id }) => rows.every((row) => row.plans[id] !== undefined));
  if (!isWhole || plans.length === 0) return null;
  return (
    <div className="mt-8 md:mt-16 lg:mt-24">
      <h3 className="text-xl tracking-tight max-md:hidden">Compare the plans</h3>
      <WholeTable plans={plans} comparison={comparison} />
      <div className="border-t border-line md:hidden">
        <Fold summary={<h3 className="text-base">Compare the plans</h3>}>
          <div className="border-t border-line pl-4">
            {plans.map((plan) => (
              <PlanFold key={plan.id} plan={plan} comparison={comparison} />
            ))}
          </div>
        </Fold>
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
        <tbody key={title} className={ROWS}>
          <tr>
            <th
              scope="rowgroup"
              colSpan={plans.length + 1}
              className="pt-8 pb-3 text-sm font-semibold text-ink"
            >
              {title}
            </th>
          </tr>
          {rows.map(({ label, plans: cells }) => (
            <tr key={label}>
              <th scope="row" className="pr-4 font-normal">
                {label}
              </th>
              {plans.map(({ id }) => (
                <td key={id}>
                  <Cell value={cells[id] ?? false} />
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
  return (
    <>
      <span aria-hidden="true" className={value ? 'tick' : 'text-muted'}>
        {value ? '' : '—'}
      </span>
      <span className="sr-only">{value ? 'Included' : 'Not included'}</span>
    </>
  );
}

interface PlanFoldProps {
  plan: Plan;
  comparison: Comparison;
}

function PlanFold({ plan, comparison: { groups } }: PlanFoldProps) {
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
          <dl className="mt-2 text-sm *:flex *:justify-between *:gap-4 *:border-t *:border-line *:py-2 [&_dd]:max-w-1/2 [&_dd]:text-right [&_dd]:text-ink">
            {rows.map(({ label, plans: cells }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <Cell value={cells[plan.id] ?? false} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </Fold>
  );
}
