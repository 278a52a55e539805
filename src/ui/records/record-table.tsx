/** A table of records on staff's screens: a row is a line on a desk, and stacks on phones and tablets. */
import type { ReactNode } from 'react';
import { Skeleton } from '../skeleton.tsx';
import { RecordCell, RecordRow } from './record-row.tsx';

export interface Column {
  heading: string;
  /** A class; a table with one keeps its columns as wide whatever they hold. */
  width?: string;
  /** Further classes of the heading. */
  look?: string;
}

interface RecordTableProps<Item> {
  caption: string;
  columns: readonly Column[];
  /** null while they are awaited. */
  items: readonly Item[] | null;
  /** Whether others are on their way. */
  outdated?: boolean;
  /** Whether the rows reach the edges of what holds the table. */
  edgeToEdge?: boolean;
  /** A RecordRow. */
  children: (item: Item) => ReactNode;
}

const AWAITED = [...'01234567'];
const EDGE_TO_EDGE =
  'lg:[&_tr>:first-child]:pl-5 lg:[&_tr>:last-child]:pr-5 max-lg:[&_tbody>tr]:px-4';

export function RecordTable<Item>(props: RecordTableProps<Item>) {
  const { caption, columns, items, outdated = false, edgeToEdge = false, children } = props;
  const fixed = columns.some(({ width }) => width);
  return (
    <table
      aria-busy={items === null || outdated}
      className={`w-full text-left text-sm max-lg:block ${fixed ? 'lg:table-fixed' : ''} ${
        outdated ? 'opacity-70' : ''
      } ${edgeToEdge ? EDGE_TO_EDGE : 'lg:[&_tr>:first-child]:pl-0'}`}
    >
      <caption className="sr-only">{caption}</caption>
      {fixed && (
        <colgroup>
          {columns.map(({ heading, width }) => (
            <col key={heading} className={width} />
          ))}
        </colgroup>
      )}
      <thead
        className={`border-line text-xs text-muted max-lg:sr-only ${edgeToEdge ? 'border-y bg-paper panes:in-data-panes:sticky panes:in-data-panes:top-0' : 'border-b'}`}
      >
        <tr>
          {columns.map(({ heading, look = '' }) => (
            <th key={heading} scope="col" className={`px-2 py-2 font-medium ${look}`}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block">
        {items === null
          ? AWAITED.map((row) => <AwaitedRow key={row} columns={columns} />)
          : items.map(children)}
      </tbody>
    </table>
  );
}

function AwaitedRow({ columns }: { columns: readonly Column[] }) {
  return (
    <RecordRow>
      {columns.map(({ heading }) => (
        <RecordCell key={heading}>
          <Skeleton className="h-4 w-24 max-w-full" />
        </RecordCell>
      ))}
    </RecordRow>
  );
}
