import type { Ref } from 'react';
import { Moment } from '../../ui/moment.tsx';
import { SalesTable } from '../../ui/records/sales-table.tsx';
import type { ToldQuoteRow } from '../read-quote.ts';
import { QuoteBadge } from './quote-badge.tsx';

interface QuotesTableProps {
  /** null while they are awaited. */
  quotes: readonly ToldQuoteRow[] | null;
  open: number | null;
  onOpen: (id: number) => void;
  ref: Ref<HTMLTableElement>;
}

export function QuotesTable({ quotes, ...table }: QuotesTableProps) {
  return (
    <SalesTable caption="Quotes" terms="Valid through" items={quotes} {...table}>
      {(quote) => ({
        id: quote.id,
        reference: quote.reference,
        at: quote.createdAt,
        name: quote.name,
        contact: quote.company ?? quote.email,
        amount: quote.amount,
        status: <QuoteBadge quote={quote} />,
        plan: quote.planName,
        terms: (
          <>
            <span className="lg:hidden">Valid through </span>
            <Moment at={quote.expiresAt} />
          </>
        ),
      })}
    </SalesTable>
  );
}
