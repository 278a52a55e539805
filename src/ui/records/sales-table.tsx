/** Staff's table of what has been sold or offered, to whom, when, for how much a month, and what narrows it down. */
import type { ReactNode } from 'react';
import { type Cents, formatDollars } from '../../platform/money.ts';
import { Moment } from '../facts.tsx';
import { Select } from '../fields.tsx';
import { SearchBox } from '../search-box.tsx';
import { type Column, OpenRecord, RecordCell, RecordRow, RecordTable } from './record-table.tsx';

interface Sale {
  id: number;
  reference: string;
  at: string;
  name: string;
  /** Who else it is: a company or an address. */
  contact: string;
  /** A month; null where it is not known. */
  amount: Cents | null;
  status: ReactNode;
  /** What stands beside the record when it is open, and needs no place in the list then. */
  plan: string;
  terms: ReactNode;
}

interface SalesTableProps<Item> {
  caption: string;
  /** The heading of the terms. */
  terms: string;
  /** null while they are awaited. */
  items: readonly Item[] | null;
  open: number | null;
  onOpen: (id: number) => void;
  children: (item: Item) => Sale;
}

function columns(terms: string, brief: boolean): Column[] {
  return [
    { heading: 'Date', width: 'w-56' },
    { heading: 'Customer' },
    ...(brief
      ? []
      : [
          { heading: 'Plan', width: 'w-28' },
          { heading: terms, width: 'w-[22%]' },
        ]),
    { heading: 'Monthly', width: 'w-26', look: 'text-right' },
    { heading: 'Status', width: 'w-52', look: 'pl-6' },
    { heading: 'Action', width: 'w-20' },
  ];
}

export function SalesTable<Item>(props: SalesTableProps<Item>) {
  const { caption, terms, items, open, onOpen, children } = props;
  const brief = open !== null;
  return (
    <RecordTable caption={caption} columns={columns(terms, brief)} items={items} edgeToEdge>
      {(item) => {
        const sale = children(item);
        const { id } = sale;
        return <Row key={id} {...{ sale, brief, onOpen }} open={id === open} />;
      }}
    </RecordTable>
  );
}

interface RowProps {
  sale: Sale;
  open: boolean;
  brief: boolean;
  onOpen: (id: number) => void;
}

function Row({ sale, open, brief, onOpen }: RowProps) {
  const describedBy = `sale-${sale.id}`;
  return (
    <RecordRow open={open}>
      <RecordCell className="text-xs max-lg:order-6 lg:truncate">
        <Moment at={sale.at} />{' '}
        <span className="ml-1 text-muted tabular-nums">{sale.reference}</span>
      </RecordCell>
      <RecordCell id={describedBy} className="truncate max-lg:order-1">
        <bdi className="font-medium text-ink">{sale.name}</bdi>{' '}
        <bdi className="ml-1 text-xs text-muted max-lg:ml-0 max-lg:block">{sale.contact}</bdi>
      </RecordCell>
      {!brief && (
        <>
          <RecordCell className="truncate max-lg:order-3">{sale.plan}</RecordCell>
          <RecordCell className="text-xs max-lg:order-5 max-lg:col-span-2 lg:truncate">
            {sale.terms}
          </RecordCell>
        </>
      )}
      <RecordCell className="text-right text-ink tabular-nums max-lg:order-4">
        {sale.amount === null ? '—' : formatDollars(sale.amount)}
      </RecordCell>
      <RecordCell className="max-lg:order-7 max-lg:justify-self-end lg:pl-6">
        {sale.status}
      </RecordCell>
      <RecordCell className="max-lg:order-2 max-lg:justify-self-end">
        <OpenRecord id={sale.id} open={open} describedBy={describedBy} onOpen={onOpen} />
      </RecordCell>
    </RecordRow>
  );
}

interface SearchAndStatusProps<Status extends string> {
  words: string;
  /** '' for any. */
  status: Status | '';
  /** Each with its label, in the order in which they are offered. */
  labels: Readonly<Record<Status, string>>;
  statuses: readonly Status[];
  /** How many records have each. */
  counts: Partial<Record<Status, number>> | undefined;
  onWords: (words: string) => void;
  onStatus: (status: Status | '') => void;
}

/** What narrows down a list of things that are bought: words, and where each stands. */
export function SearchAndStatus<Status extends string>(props: SearchAndStatusProps<Status>) {
  const { words, status, labels, statuses, counts, onWords, onStatus } = props;
  return (
    <search className="flex flex-wrap items-center gap-3">
      <SearchBox
        placeholder="Name, company, email, plan, number"
        words={words}
        onChange={onWords}
      />
      <div className="max-sm:w-full">
        <Select
          aria-label="Status"
          value={status}
          onChange={({ target }) => onStatus(statuses.find((each) => each === target.value) ?? '')}
          className="h-11 text-sm"
        >
          <option value="">Any status</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {labels[each]} ({counts?.[each] ?? 0})
            </option>
          ))}
        </Select>
      </div>
    </search>
  );
}
