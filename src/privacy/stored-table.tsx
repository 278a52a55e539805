import { Link } from 'wouter';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import { Badge, Moment } from '../ui/facts.tsx';
import { type Column, RecordCell, RecordRow, RecordTable } from '../ui/records/record-table.tsx';
import type { StoredItem } from './person-api.ts';

/** What each kind is called, and the list in which it can be read whole. */
const KINDS: Record<StoredItem['kind'], { label: string; list?: string }> = {
  message: { label: 'Contact message', list: `${STAFF_PAGES.inbox.path}?` },
  chat: { label: 'Chat message', list: `${STAFF_PAGES.inbox.path}?list=conversations&` },
  quote: { label: 'Quote', list: `${STAFF_PAGES.quotes.path}?` },
  order: { label: 'Order', list: `${STAFF_PAGES.orders.path}?` },
  request: { label: 'Email request' },
  notice: { label: 'Notice' },
};
const COLUMNS: readonly Column[] = [
  { heading: 'Date', width: 'w-40' },
  { heading: 'Number', width: 'w-24' },
  { heading: 'Kind', width: 'w-40' },
  { heading: 'Name', width: 'w-1/5' },
  { heading: 'Content' },
  { heading: 'Status', width: 'w-32' },
];

/** Null while they are awaited. */
export function StoredTable({ items }: { items: readonly StoredItem[] | null }) {
  return (
    <RecordTable caption="Stored data" columns={COLUMNS} items={items}>
      {(item) => <Row key={`${item.kind} ${item.reference} ${item.id}`} item={item} />}
    </RecordTable>
  );
}

function Row({ item }: { item: StoredItem }) {
  const { kind, id, reference, at, name, what, state } = item;
  const { label, list } = KINDS[kind];
  return (
    <RecordRow>
      <RecordCell className="whitespace-nowrap max-lg:order-5 max-lg:text-xs">
        <Moment at={at} />
      </RecordCell>
      <RecordCell className="tabular-nums max-lg:order-2 max-lg:justify-self-end">
        {list ? (
          <Link href={`${list}open=${id}`} className="underline underline-offset-4">
            {reference}
          </Link>
        ) : (
          <span className="text-muted">{reference}</span>
        )}
      </RecordCell>
      <RecordCell className="text-ink max-lg:order-1 max-lg:font-medium">{label}</RecordCell>
      <RecordCell className="truncate max-lg:order-3 max-lg:col-span-2 max-lg:empty:hidden">
        {name && <bdi>{name}</bdi>}
      </RecordCell>
      <RecordCell className="truncate max-lg:order-4 max-lg:col-span-2">
        <bdi>{what}</bdi>
      </RecordCell>
      <RecordCell className="max-lg:order-6 max-lg:justify-self-end">
        {state && <Badge>{inWords(state)}</Badge>}
      </RecordCell>
    </RecordRow>
  );
}

/** 'past_due' → 'Past due'; a delivery's state as the list of deliveries calls it. */
function inWords(state: string): string {
  if (state === 'set aside') return 'Failed';
  if (state === 'waiting') return 'Pending';
  return state.charAt(0).toUpperCase() + state.slice(1).replace('_', ' ');
}
