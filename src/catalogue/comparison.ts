/** What the plans share and where they differ: `content/catalogue/comparison.json`, and the same as a page shows it. */
import * as z from 'zod/mini';
import type { Plan } from './catalogue.ts';

const line = () => z.string().check(z.minLength(1));
/** Plans by their ids, so that a plan may be renamed: true for what is included, or in words how. */
const row = z.strictObject({
  label: line(),
  plans: z.record(z.string(), z.union([z.boolean(), line()])),
});

export const comparisonSchema = z.strictObject({
  caption: line(),
  groups: z
    .array(z.strictObject({ title: line(), rows: z.array(row).check(z.minLength(1)) }))
    .check(z.minLength(1)),
});

export type ComparisonRows = z.infer<typeof comparisonSchema>;

export type Comparison = ReturnType<typeof comparisonOf>;

/** What is wrong with its plans, each with its place: a plan that a row leaves out, or that nobody sells. */
export function comparisonFaults({ groups }: ComparisonRows, plans: readonly Plan[]): string[] {
  const sold = plans.map(({ id }) => String(id));
  return groups.flatMap(({ rows }, group) =>
    rows.flatMap(({ plans: named }, row) => {
      const place = `groups[${group}].rows[${row}].plans`;
      const ids = Object.keys(named);
      return [
        ...sold.filter((id) => !ids.includes(id)).map((id) => `${place}: plan ${id} is missing`),
        ...ids
          .filter((id) => !sold.includes(id))
          .map((id) => `${place}.${id}: there is no such plan`),
      ];
    }),
  );
}

/** One cell for each plan, in the order of the plans. */
export function comparisonOf(
  { caption, groups }: ComparisonRows,
  plans: readonly { id: number }[],
) {
  return {
    caption,
    groups: groups.map(({ title, rows }) => ({
      title,
      rows: rows.map(({ label, plans: named }) => ({
        label,
        // Of a plan that another instance's content has brought, nothing is known here.
        cells: plans.flatMap(({ id }) => named[id] ?? []),
      })),
    })),
  };
}
