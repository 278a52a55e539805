import { formatBriefly } from '../platform/money.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import type { Comparison, Plan } from './catalogue.ts';

interface ComparisonProps {
  plans: readonly Plan[];
  comparison: Comparison;
}

/** On each tbody, since repeating these classes on twenty rows would make the page larger. */
const ROW_CLASSES =
  '[&_tr:not(:first-child)]:border-t [&_tr]:border-line [&_td]:px-3 [&_td]:py-2.5 [&_td]:text-ink';

/** A table, or on a phone a disclosure per plan; nothing if another instance stored other plans. */
export function PlanComparison({ plans, comparison }: ComparisonProps) {
  const rows = comparison.groups.flatMap((group) => group.rows);
  const isWhole = plans.every(({ id }) => rows.every((row) => row.plans[id] !== undefined));
  if (!isWhole || plans.length === 0) return null;
  return (
    <div className="mt-8 md:mt-16 lg:mt-24">
      <h3 className="text-xl tracking-tight max-md:hidden">Compare the plans</h3>
      <PlanTable plans={plans} comparison={comparison} />
      <div className="border-t border-line md:hidden">
        <Disclosure summary={<h3 className="text-base">Compare the plans</h3>}>
          <div className="border-t border-line pl-4">
            {plans.map((plan) => (
              <PlanDisclosure key={plan.id} plan={plan} comparison={comparison} />
            ))}
          </div>
        </Disclosure>
      </div>
    </div>
  );
}

function PlanTable({ plans, comparison: { caption, groups } }: ComparisonProps) {
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
                {`${formatBriefly(price)} per month`}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ title, rows }) => (
        <tbody key={title} className={ROW_CLASSES}>
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
              <th scope="row" className="py-2.5 pr-4 font-normal">
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

function PlanDisclosure({ plan, comparison: { groups } }: { plan: Plan; comparison: Comparison }) {
  return (
    <Disclosure
      summary={
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
          <span>{plan.name}</span>
          <span className="text-sm font-normal text-muted tabular-nums">
            {`${formatBriefly(plan.price)} per month`}
          </span>
        </span>
      }
    >
      {groups.map(({ title, rows }) => (
        <div key={title} className="not-first:mt-6">
          <p className="text-sm font-semibold text-ink">{title}</p>
          <dl className="mt-2 text-sm *:flex *:justify-between *:gap-4 *:border-t *:border-line *:py-2 [&_dd]:max-w-1/2 [&_dd]:text-right [&_dd]:text-ink max-[18rem]:*:block max-[18rem]:[&_dd]:max-w-none max-[18rem]:[&_dd]:text-left">
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
    </Disclosure>
  );
}
