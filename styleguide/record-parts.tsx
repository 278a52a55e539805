/** Lists of records as they are loading, read, and empty. */
import { useState } from 'react';
import { cents } from '../src/platform/money.ts';
import { Button } from '../src/ui/button.tsx';
import { DetailCard, ListAndDetail, RecordPanel } from '../src/ui/records/list-and-detail.tsx';
import { OpenRecord, RecordCell, RecordRow, RecordTable } from '../src/ui/records/record-table.tsx';
import { SalesTable, SearchAndStatus } from '../src/ui/records/sales-table.tsx';

const COLUMNS = [{ heading: 'Number', width: 'w-40' }, { heading: 'Text' }, { heading: 'Action' }];

export function RecordParts() {
  const [open, setOpen] = useState<number | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <ListAndDetail
        open={open}
        filters={null}
        notices={null}
        list={
          <RecordPanel heading="Records" {...empty(false)}>
            <RecordTable caption="Records" columns={COLUMNS} items={[1, 2]} edgeToEdge>
              {(id) => (
                <RecordRow key={id} open={id === open}>
                  <RecordCell id={`record-${id}`}>{id}</RecordCell>
                  <RecordCell className="truncate">Some text</RecordCell>
                  <RecordCell>
                    <OpenRecord
                      id={id}
                      open={id === open}
                      describedBy={`record-${id}`}
                      onOpen={setOpen}
                    />
                  </RecordCell>
                </RecordRow>
              )}
            </RecordTable>
          </RecordPanel>
        }
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
      <RecordPanel heading="Awaited" {...empty(false)}>
        <RecordTable caption="Awaited" columns={COLUMNS} items={null} edgeToEdge>
          {() => null}
        </RecordTable>
      </RecordPanel>
      <SearchAndStatus
        words=""
        status=""
        labels={{ open: 'Open', paid: 'Paid' }}
        statuses={['open', 'paid']}
        counts={{ open: 1 }}
        onWords={() => undefined}
        onStatus={() => undefined}
      />
      <RecordPanel heading="Sales" {...empty(false)}>
        <SalesTable caption="Sales" terms="Options" items={[3]} open={open} onOpen={setOpen}>
          {(id) => ({
            id,
            reference: `O-${id}`,
            at: '2026-05-13T10:05:00.000Z',
            name: 'Dana Whitfield',
            contact: 'dana@example.com',
            amount: cents(138_900),
            status: 'Paid',
            plan: 'Professional',
            terms: 'Cloud backup × 20',
          })}
        </SalesTable>
      </RecordPanel>
      <RecordPanel heading="No match" {...empty(true)}>
        {null}
      </RecordPanel>
    </>
  );
}

function empty(nothing: boolean) {
  return {
    nothing,
    narrowed: nothing,
    noMatches: 'Nothing matches.',
    onClear: () => undefined,
    empty: 'Nothing yet.',
  };
}
