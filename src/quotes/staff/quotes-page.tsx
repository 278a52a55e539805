/** /admin/quotes: what has been offered to whom, who has looked at it, and what came of it. */
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useReload } from '../../platform/browser/use-reload.ts';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ListAndDetail } from '../../ui/records/list-and-detail.tsx';
import { RecordPanel } from '../../ui/records/record-panel.tsx';
import { SalesTable } from '../../ui/records/sales-table.tsx';
import { SearchAndStatus } from '../../ui/records/search-and-status.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { Workbench } from '../../ui/workbench.tsx';
import { QUOTE_LABELS, QUOTE_STATES } from '../quote-states.ts';
import type { ToldQuoteRow } from '../read-quote.ts';
import { QuoteBadge } from './quote-badge.tsx';
import { QuoteDetail } from './quote-detail.tsx';
import { QUOTES_PAGE, readQuoteFilter } from './quote-list.ts';
import { StaffQuoteDialog } from './staff-quote-dialog.tsx';
import { useQuotes, useQuotesAddress } from './use-quotes.ts';

export default function QuotesPage() {
  const { address, go } = useQuotesAddress();
  const { open, ...filter } = address;
  const { data, isError } = useQuotes(filter);
  const { busy, reload } = useReload();
  const [making, setMaking] = useState(false);
  const close = () => {
    if (open !== null) go({ open: null });
  };
  return (
    <Workbench
      heading="Quotes"
      actions={
        <>
          <Button size="small" onClick={() => setMaking(true)}>
            <Plus className="size-4" />
            New quote
          </Button>
          <RefreshButton busy={busy} onClick={reload} />
        </>
      }
    >
      <ListAndDetail
        open={open}
        filters={
          <SearchAndStatus
            words={filter.words}
            status={filter.state}
            labels={QUOTE_LABELS}
            statuses={QUOTE_STATES}
            counts={data?.counts}
            onWords={(words) => go({ open: null, page: 1, words })}
            onStatus={(state) => go({ open: null, page: 1, state })}
          />
        }
        notices={
          isError && <Notice kind="error">The quotes could not be loaded. Please try again.</Notice>
        }
        list={
          <RecordPanel
            heading="All Quotes"
            nothing={data?.quotes.length === 0}
            narrowed={filter.words !== '' || filter.state !== '' || filter.page > 1}
            noMatches="No quote matches the search and the filter."
            onClear={() => go({ open: null, ...readQuoteFilter(new URLSearchParams()) })}
            empty="No quotes yet. When a visitor saves one, or you make one, it appears here."
          >
            <SalesTable
              caption="Quotes"
              terms="Valid through"
              items={data?.quotes ?? (isError ? [] : null)}
              open={open}
              onOpen={(id) => go({ open: id })}
            >
              {saleOf}
            </SalesTable>
          </RecordPanel>
        }
        detail={(id) => <QuoteDetail id={id} onClose={close} />}
      />
      <Pager
        page={filter.page}
        pageSize={QUOTES_PAGE}
        total={data?.total ?? 0}
        onChange={(page) => go({ open: null, page })}
      />
      <StaffQuoteDialog
        open={making}
        quote={null}
        onClose={() => setMaking(false)}
        onMade={({ id }) => go({ open: id })}
      />
    </Workbench>
  );
}

function saleOf(quote: ToldQuoteRow) {
  return {
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
  };
}
