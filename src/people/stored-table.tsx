import { Link } from 'wouter';
import { STAFF_PAGES } from '../admin/staff-pages.ts';
import { Badge } from '../ui/badge.tsx';
import { Moment } from '../ui/moment.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { StoredItem } from './person-shapes.ts';

const KINDS: Record<StoredItem['kind'], string> = {
  message: 'Contact message',
  chat: 'Chat message',
  order: 'Order',
  notice: 'Notice',
};
const HEADINGS = ['Date', 'Number', 'Kind', 'Name given', 'Content', 'State'];
const CELL = 'px-2 py-2 first:pl-0 max-lg:block max-lg:p-0';
const ROW =
  'max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:gap-y-1 max-lg:py-3';

/** Null while they are awaited. On phones and tablets a row stacks. */
export function StoredTable({ items }: { items: readonly StoredItem[] | null }) {
  return (
    <table
      aria-busy={items === null}
      className="w-full text-left text-sm max-lg:block lg:table-fixed"
    >
      <caption className="sr-only">What is stored</caption>
      <colgroup>
        <col className="w-40" />
        <col className="w-24" />
        <col className="w-40" />
        <col className="w-1/5" />
        <col />
        <col className="w-32" />
      </colgroup>
      <thead className="border-b border-line text-xs text-muted max-lg:sr-only">
        <tr>
          {HEADINGS.map((heading) => (
            <th key={heading} scope="col" className="px-2 py-2 font-medium first:pl-0">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block">
        {items === null
          ? [...'01234'].map((row) => <AwaitedRow key={row} />)
          : items.map((item) => <Row key={`${item.kind} ${item.id}`} item={item} />)}
      </tbody>
    </table>
  );
}

function Row({ item }: { item: StoredItem }) {
  const { kind, reference, at, name, what, state } = item;
  const path = pathOf(item);
  return (
    <tr className={ROW}>
      <td className={`${CELL} whitespace-nowrap max-lg:order-5 max-lg:text-xs`}>
        <Moment at={at} />
      </td>
      <td className={`${CELL} tabular-nums max-lg:order-2 max-lg:justify-self-end`}>
        {path ? (
          <Link href={path} className="underline underline-offset-4">
            {reference}
          </Link>
        ) : (
          <span className="text-muted">{reference}</span>
        )}
      </td>
      <td className={`${CELL} text-ink max-lg:order-1 max-lg:font-medium`}>{KINDS[kind]}</td>
      <td className={`${CELL} truncate max-lg:order-3 max-lg:col-span-2 max-lg:empty:hidden`}>
        {name && <bdi>{name}</bdi>}
      </td>
      <td className={`${CELL} truncate max-lg:order-4 max-lg:col-span-2`}>
        <bdi>{what}</bdi>
      </td>
      <td className={`${CELL} max-lg:order-6 max-lg:justify-self-end`}>
        <Badge>{inWords(state)}</Badge>
      </td>
    </tr>
  );
}

/** Where it can be read whole. */
function pathOf({ kind, id }: StoredItem): string | null {
  switch (kind) {
    case 'message':
      return `${STAFF_PAGES.inbox.path}?open=${id}`;
    case 'chat':
      return `${STAFF_PAGES.inbox.path}?list=conversations&open=${id}`;
    case 'order':
      return `${STAFF_PAGES.orders.path}?open=${id}`;
    case 'notice':
      return null;
  }
}

/** 'past_due' → 'Past due'. */
function inWords(state: string): string {
  return state.charAt(0).toUpperCase() + state.slice(1).replace('_', ' ');
}

function AwaitedRow() {
  return (
    <tr className={ROW}>
      {HEADINGS.map((heading) => (
        <td key={heading} className={`${CELL} h-11 max-lg:h-auto`}>
          <Skeleton className="h-4 w-24 max-w-full" />
        </td>
      ))}
    </tr>
  );
}
