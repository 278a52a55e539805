/** In place of the site's own: the rows of a build are there, so there is nothing to fetch, await or try again. */
import type { ReactNode } from 'react';

interface CatalogueListProps<Row> {
  list: { rows: readonly Row[] };
  className: string;
  children: (row: Row) => ReactNode;
}

export function CatalogueList<Row extends { id: number; name: string }>({
  list,
  className,
  children,
}: CatalogueListProps<Row>) {
  return (
    <ul className={className}>
      {list.rows.map((row) => (
        <li key={row.id || row.name} className="contents">
          {children(row)}
        </li>
      ))}
    </ul>
  );
}

export const useList = (_contract: unknown, _read: unknown, rows: readonly unknown[]) => ({
  status: 'loaded',
  rows,
  reload: () => undefined,
});

export const useUpdatedPlans = () => undefined;
