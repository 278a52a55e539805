import type { Ref } from 'react';
import { formatDollars } from '../../platform/money.ts';
import { Moment } from '../../ui/moment.tsx';
import {
  type Column,
  OpenRecord,
  RecordCell,
  RecordRow,
  RecordTable,
} from '../../ui/records/record-table.tsx';
import type { ToldQuoteRow } from '../read-quote.ts';
import { QuoteBadge } from './quote-badge.tsx';

interface QuotesTableProps {
  /** null while they are awaited. */
  quotes: readonly ToldQuoteRow[] | null;
  open: number | null;
  onOpen: (id: number) => void;
  ref: Ref<HTMLTableElement>;
}

const COLUMNS: readonly Column[] = [
  { heading: 'Date' },
  { heading: 'Customer' },
  { heading: 'Plan' },
  { heading: 'Valid through' },
  { heading: 'Monthly', look: 'text-right' },
  { heading: 'Status', look: 'pl-6' },
  { heading: 'Action' },
];
/** Beside an open quote there is room for less; what is left out stands there. */
const BRIEF = COLUMNS.filter(({ heading }) => heading !== 'Plan' && heading !== 'Valid through');

export function QuotesTable({ quotes, open, onOpen, ref }: QuotesTableProps) {
  const brief = open !== null;
  return (
    <RecordTable
      ref={ref}
      caption="Quotes"
      columns={brief ? BRIEF : COLUMNS}
      items={quotes}
      edgeToEdge
    >
      {(quote) => (
        <Row key={quote.id} quote={quote} open={quote.id === open} brief={brief} onOpen={onOpen} />
      )}
    </RecordTable>
  );
}

interface RowProps {
  quote: ToldQuoteRow;
  open: boolean;
  brief: boolean;
  onOpen: (id: number) => void;
}

function Row({ quote, open, brief, onOpen }: RowProps) {
  const describedBy = `quote-${quote.id}`;
  return (
    <RecordRow open={open}>
      <RecordCell className="text-xs max-lg:order-6">
        <span className="whitespace-nowrap">
          <Moment at={quote.createdAt} />
        </span>{' '}
        <span className="whitespace-nowrap text-muted tabular-nums lg:block">
          {quote.reference}
        </span>
      </RecordCell>
      <RecordCell id={describedBy} className="max-w-64 max-lg:order-1">
        <bdi className="block truncate font-medium text-ink">{quote.name}</bdi>
        <bdi className="block truncate text-xs text-muted">{quote.company ?? quote.email}</bdi>
      </RecordCell>
      {!brief && (
        <>
          <RecordCell className="max-lg:order-3">{quote.planName}</RecordCell>
          <RecordCell className="text-xs whitespace-nowrap max-lg:order-5 max-lg:col-span-2">
            <span className="lg:hidden">Valid through </span>
            <Moment at={quote.expiresAt} />
          </RecordCell>
        </>
      )}
      <RecordCell className="text-right text-ink tabular-nums max-lg:order-4">
        {formatDollars(quote.amount)}
      </RecordCell>
      <RecordCell className="lg:pl-6 max-lg:order-7 max-lg:justify-self-end">
        <QuoteBadge quote={quote} />
      </RecordCell>
      <RecordCell className="max-lg:order-2 max-lg:justify-self-end">
        <OpenRecord id={quote.id} open={open} describedBy={describedBy} onOpen={onOpen} />
      </RecordCell>
    </RecordRow>
  );
}
