/** Staff's lists of what has been sold or offered, to whom, when, for how much a month: the columns, and what narrows them down. */
import type { ReactNode } from 'react';
import { type Cents, formatDollars } from '../../platform/money.ts';
import { Moment } from '../facts.tsx';
import { Select } from '../fields.tsx';
import { SearchBox } from '../search-box.tsx';
import type { Column } from './record-table.tsx';

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
  /** Hidden in the list while a record is open, which shows them too. */
  plan: string;
  terms: ReactNode;
}

/** `terms`: the heading of the terms. `brief`: a record is open beside the list. */
export function salesColumns(terms: string, brief: boolean): Column<Sale>[] {
  return [
    {
      heading: 'Date',
      width: 'w-56',
      look: 'text-xs max-lg:order-6 lg:truncate',
      cell: ({ at, reference }) => (
        <>
          <Moment at={at} /> <span className="ml-1 text-muted tabular-nums">{reference}</span>
        </>
      ),
    },
    {
      heading: 'Customer',
      look: 'truncate max-lg:order-1',
      names: true,
      cell: ({ name, contact }) => (
        <>
          <bdi className="font-medium text-ink">{name}</bdi>{' '}
          <bdi className="ml-1 text-xs text-muted max-lg:ml-0 max-lg:block">{contact}</bdi>
        </>
      ),
    },
    ...(brief
      ? []
      : [
          {
            heading: 'Plan',
            width: 'w-28',
            look: 'truncate max-lg:order-3',
            cell: ({ plan }: Sale) => plan,
          },
          {
            heading: terms,
            width: 'w-[22%]',
            look: 'text-xs max-lg:order-5 max-lg:col-span-2 lg:truncate',
            cell: (sale: Sale) => sale.terms,
          },
        ]),
    {
      heading: 'Monthly',
      width: 'w-26',
      headingLook: 'text-right',
      look: 'text-right text-ink tabular-nums max-lg:order-4',
      cell: ({ amount }) => (amount === null ? '—' : formatDollars(amount)),
    },
    {
      heading: 'Status',
      width: 'w-52',
      headingLook: 'pl-6',
      look: 'max-lg:order-7 max-lg:justify-self-end lg:pl-6',
      cell: ({ status }) => status,
    },
  ];
}

interface SearchAndStatusProps<Status extends string> {
  words: string;
  /** '' for any. */
  status: Status | '';
  labelOf: (status: Status) => string;
  /** In the order in which they are offered. */
  statuses: readonly Status[];
  /** How many records have each. */
  counts: Partial<Record<Status, number>> | undefined;
  onWords: (words: string) => void;
  onStatus: (status: Status | '') => void;
}

/** The filters of a list of sales: words and status. */
export function SearchAndStatus<Status extends string>(props: SearchAndStatusProps<Status>) {
  const { words, status, labelOf, statuses, counts, onWords, onStatus } = props;
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
              {labelOf(each)} ({counts?.[each] ?? 0})
            </option>
          ))}
        </Select>
      </div>
    </search>
  );
}
