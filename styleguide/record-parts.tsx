/** Lists of records as they are loading, read, and empty. */
import { useState } from 'react';
import { cents } from '../src/platform/money.ts';
import { Button } from '../src/ui/button.tsx';
import { DetailCard, ListAndDetail } from '../src/ui/records/list-and-detail.tsx';
import { SearchAndStatus, salesColumns } from '../src/ui/records/sales-table.tsx';

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
  { heading: 'Records', items: SALES, narrowed: false },
  { heading: 'Awaited', items: null, narrowed: false },
  { heading: 'No match', items: [], narrowed: true },
];

export function RecordParts() {
  const [shown, setShown] = useState<{ open: number | null; page: number }>({
    open: null,
    page: 1,
  });
  const close = () => setShown({ ...shown, open: null });
  return LISTS.map(({ heading, items, narrowed }) => (
    <ListAndDetail
      key={heading}
      heading={heading}
      shown={{
        address: items?.length ? shown : { open: null, page: 1 },
        narrowed,
        go: (change) => setShown({ ...shown, ...change }),
        clear: close,
      }}
      filters={
        <SearchAndStatus
          words=""
          status=""
          labelOf={(status) => status}
          statuses={['open', 'paid']}
          counts={{ open: 1 }}
          onWords={() => undefined}
          onStatus={() => undefined}
        />
      }
      columns={salesColumns('Options', false)}
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
