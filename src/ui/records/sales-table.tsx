/** The columns and filters that staff's lists of orders and of quotes share. */
import type { ReactNode } from 'react';
import type { ListFilter } from '../../platform/list-query.ts';
import { type Cents, formatDollars } from '../../platform/money.ts';
import { Select } from '../fields.tsx';
import { LocalTime } from '../local-time.tsx';
import { ListFilters } from './list-filters.tsx';
import type { Column } from './record-table.tsx';

interface Sale {
  id: number;
  reference: string;
  at: string;
  name: string;
  /** A company or an email address. */
  contact: string;
  amount: Cents | null;
  status: ReactNode;
  plan: string;
  terms: ReactNode;
}

/** `narrow`: a record is open beside the list, which leaves no room for the plan and the terms. */
export function saleColumns(termsHeading: string, narrow: boolean): Column<Sale>[] {
  return [
    {
      heading: 'Date',
      width: 'w-46',
      className: 'text-xs max-lg:order-6 lg:truncate',
      cell: ({ at, reference }) => (
        <>
          <LocalTime at={at} inList />{' '}
          <span className="ml-1 text-muted tabular-nums">{reference}</span>
        </>
      ),
    },
    {
      heading: 'Customer',
      className: 'truncate max-lg:order-1',
      labelsRow: true,
      cell: ({ name, contact }) => (
        <>
          <bdi className="font-medium text-ink">{name}</bdi>{' '}
          <bdi className="ml-1 text-xs text-muted max-lg:ml-0 max-lg:block max-lg:truncate">
            {contact}
          </bdi>
        </>
      ),
    },
    ...(narrow
      ? []
      : [
          {
            heading: 'Plan',
            width: 'w-28',
            className: 'truncate max-lg:order-3',
            cell: ({ plan }: Sale) => plan,
          },
          {
            heading: termsHeading,
            width: 'w-[22%]',
            className: 'text-xs max-lg:order-5 max-lg:col-span-2 lg:truncate',
            cell: (sale: Sale) => sale.terms,
          },
        ]),
    {
      heading: 'Monthly',
      width: 'w-26',
      headingClassName: 'text-right',
      className: 'text-right text-ink tabular-nums max-lg:order-4',
      cell: ({ amount }) => (amount === null ? '—' : formatDollars(amount)),
    },
    {
      heading: 'Status',
      width: 'w-52',
      headingClassName: 'pl-6',
      // Several badges stack there, or they would leave no room for the name.
      className: 'max-lg:order-7 max-lg:max-w-40 max-lg:justify-self-end max-lg:text-right lg:pl-6',
      cell: ({ status }) => status,
    },
  ];
}

interface SaleFiltersProps<Status extends string> {
  filter: ListFilter<Status>;
  labelOf: (status: Status) => string;
  statuses: readonly Status[];
  counts: Partial<Record<Status, number>> | undefined;
  onChange: (change: Partial<ListFilter<Status>>) => void;
}

export function SaleFilters<Status extends string>(props: SaleFiltersProps<Status>) {
  const { filter, labelOf, statuses, counts, onChange } = props;
  return (
    <ListFilters
      placeholder="Name, company, email, or number"
      filter={filter}
      onChange={onChange}
      isFirstSet={filter.status !== ''}
      first={
        <Select
          aria-label="Status"
          value={filter.status}
          onChange={({ target }) =>
            onChange({ status: statuses.find((option) => option === target.value) ?? '' })
          }
          className="h-11 text-sm"
        >
          <option value="">Any status</option>
          {statuses.map((option) => (
            <option key={option} value={option}>
              {`${labelOf(option)} (${counts?.[option] ?? 0})`}
            </option>
          ))}
        </Select>
      }
    />
  );
}
