/** Lists of records: loading, loaded, and empty. */
import { useState } from 'react';
import { cents } from '../src/platform/money.ts';
import { Button } from '../src/ui/button.tsx';
import { DetailCard, ListAndDetail } from '../src/ui/records/list-and-detail.tsx';
import { SaleFilters, saleColumns } from '../src/ui/records/sales-table.tsx';

const SALES = [1, 2].map((id) => ({
  id,
  reference: `O-${id}`,
  at: '2026-05-13T10:05:00.000Z',
  name: 'Dana Whitfield',
  contact: 'dana@example.com',
  amount: cents(138_900),
  status: 'Paid',
  plan: 'Professional',
  terms: 'Cloud backup × 20',
}));

const LISTS = [
  { heading: 'Records', items: SALES, isFiltered: false },
  { heading: 'Awaited', items: null, isFiltered: false },
  { heading: 'No match', items: [], isFiltered: true },
];

export function RecordParts() {
  const [params, setParams] = useState<{ open: number | null; page: number }>({
    open: null,
    page: 1,
  });
  const close = () => setParams({ ...params, open: null });
  return LISTS.map(({ heading, items, isFiltered }) => (
    <ListAndDetail
      key={heading}
      heading={heading}
      listParams={{
        params: items?.length ? params : { open: null, page: 1 },
        isFiltered,
        setParams: (change) => setParams({ ...params, ...change }),
        clearParams: close,
      }}
      filters={
        <SaleFilters
          search=""
          status=""
          labelOf={(status) => status}
          statuses={['open', 'paid']}
          counts={{ open: 1 }}
          onSearch={() => undefined}
          onStatus={() => undefined}
        />
      }
      columns={saleColumns('Options', false)}
      items={items}
      noMatches="Nothing matches."
      empty="Nothing yet."
      pageSize={50}
      total={items?.length ?? 0}
      detail={(id) => (
        <DetailCard
          id={id}
          heading={`Record ${id}`}
          aside={<Button onClick={close}>Close</Button>}
          failure={null}
        >
          <p>Some text</p>
        </DetailCard>
      )}
    />
  ));
}
