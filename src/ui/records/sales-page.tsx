/** What staff's pages of orders and of quotes share: a list of sales. */
import type { ReactNode } from 'react';
import type { ListFilter } from '../../platform/list-query.ts';
import { type Cents, formatDollars } from '../../platform/money.ts';
import { AdminPageLayout, RefreshButton } from '../admin-page-layout.tsx';
import { DownloadLink } from '../download-link.tsx';
import { Select } from '../fields.tsx';
import { LocalTime } from '../local-time.tsx';
import { Notice } from '../notice.tsx';
import { ListAndDetail, type useListParams } from './list-and-detail.tsx';
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
function saleColumns(termsHeading: string, narrow: boolean): Column<Sale>[] {
  return [
    {
      heading: 'Date',
      width: 'w-52',
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
      width: narrow ? 'w-48' : 'w-52',
      headingClassName: narrow ? '' : 'pl-6',
      // Several badges stack there, or they would leave no room for the name.
      className: `max-lg:order-7 max-lg:max-w-56 max-lg:justify-self-end max-lg:text-right ${narrow ? '' : 'lg:pl-6'}`,
      cell: ({ status }) => status,
    },
  ];
}

interface SalesPageProps<Status extends string> {
  /** One of them, such as 'order'. */
  noun: string;
  listParams: ReturnType<typeof useListParams<ListFilter<Status>>>;
  statuses: readonly Status[];
  labelOf: (status: Status) => string;
  isError: boolean;
  /** Undefined while they load. */
  sales: Sale[] | undefined;
  total: number | undefined;
  counts: Partial<Record<Status, number>> | undefined;
  termsHeading: string;
  downloads: readonly [label: string, href: string][];
  /** Beside the filters. */
  tools?: ReactNode;
  empty: string;
  detail: (id: number, onClose: () => void) => ReactNode;
}

/** Staff's list of orders or of quotes, with filters, files, and the details of one. */
export function SalesPage<Status extends string>(props: SalesPageProps<Status>) {
  const { noun, listParams, isError, sales, detail } = props;
  const { params, setParams } = listParams;
  const heading = `${noun[0]?.toUpperCase()}${noun.slice(1)}s`;
  return (
    <AdminPageLayout
      heading={heading}
      tools={
        <>
          <SaleFilters {...props} />
          {props.tools}
        </>
      }
      actions={
        <>
          {props.downloads.map(([label, href]) => (
            <DownloadLink key={label} ready={Boolean(sales?.length)} href={href}>
              {label}
            </DownloadLink>
          ))}
          <RefreshButton />
        </>
      }
    >
      <ListAndDetail
        heading={`All ${heading}`}
        listParams={listParams}
        notice={
          isError && (
            <Notice kind="error">{`We couldn’t load the ${noun}s. Please try again.`}</Notice>
          )
        }
        columns={saleColumns(props.termsHeading, params.open !== null)}
        items={sales ?? (isError ? [] : null)}
        noMatches={`No ${noun} matches the search and the filter.`}
        empty={isError ? null : props.empty}
        total={props.total ?? 0}
        detail={(id) => detail(id, () => setParams({ open: null }, { replace: true }))}
      />
    </AdminPageLayout>
  );
}

function SaleFilters<Status extends string>(props: SalesPageProps<Status>) {
  const { listParams, labelOf, statuses, counts } = props;
  const { params, setParams } = listParams;
  const onChange = (change: Partial<ListFilter<Status>>) =>
    setParams({ open: null, page: 1, ...change });
  return (
    <ListFilters
      placeholder="Name, company, email, or number"
      filter={params}
      onChange={onChange}
      isFirstSet={params.status !== ''}
      first={
        <Select
          aria-label="Status"
          value={params.status}
          onChange={({ target }) =>
            onChange({ status: statuses.find((option) => option === target.value) ?? '' })
          }
          className="lg:h-10 lg:text-sm"
        >
          <option value="">Any status</option>
          {statuses.map((option) => (
            <option key={option} value={option}>
              {labelOf(option) + (counts ? ` (${counts[option] ?? 0})` : '')}
            </option>
          ))}
        </Select>
      }
    />
  );
}
