/** /admin/prices: who pays what, against the catalogue; staff give notice and take it back. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery } from '../platform/browser/query-client.ts';
import { withCommas } from '../platform/money.ts';
import { formatDate } from '../platform/time.ts';
import { AdminPageLayout, RefreshButton } from '../ui/admin-page-layout.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, Field, Select } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { RecordTable } from '../ui/records/record-table.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import {
  ACTIONS,
  type AskedNotice,
  customers,
  GiveNoticeDialog,
  summaryOf,
} from './give-notice-dialog.tsx';
import {
  LIST_PRICES,
  NOTICE_KINDS,
  type NoticeOutcome,
  type PriceRow,
} from './price-change-api.ts';
import { columnsFor, hasNotice, isToChange } from './price-columns.tsx';

const FILTERS = { change: isToChange, notice: hasNotice, all: () => true };
const SEGMENTS = [
  { value: 'change', label: 'Other price' },
  { value: 'notice', label: 'Notice given' },
  { value: 'all', label: 'All plans' },
] as const;

export default function PricesPage() {
  const [day, setDay] = useState('');
  const [filter, setFilter] = useState<keyof typeof FILTERS>('change');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const { data, isError } = useQuery({
    ...callQuery(LIST_PRICES, { query: new URLSearchParams({ day }) }),
    placeholderData: keepPreviousData,
  });
  const rows = data?.rows.filter(FILTERS[filter]) ?? [];
  const selected = rows.filter(({ orderId }) => chosen.has(orderId));
  const isEmpty = data !== undefined && rows.length === 0;

  function choose(changed: readonly PriceRow[], isChosen: boolean) {
    const next = new Set(chosen);
    for (const { orderId } of changed) {
      if (isChosen) next.add(orderId);
      else next.delete(orderId);
    }
    setChosen(next);
  }

  return (
    <AdminPageLayout
      heading="Prices"
      lead="What running plans pay, before tax, compared with our prices."
      actions={<RefreshButton />}
    >
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-full sm:w-72">
          <Field label="Compare with">
            <Select
              value={data?.day ?? ''}
              disabled={!data}
              onChange={({ target }) => setDay(target.value)}
            >
              {data &&
                [data.today, ...data.days].map((each) => (
                  <option key={each} value={each}>
                    {each === data.today ? 'Today’s prices' : `Prices from ${formatDate(each)}`}
                  </option>
                ))}
            </Select>
          </Field>
        </div>
        <SegmentedControl label="Show" value={filter} segments={SEGMENTS} onChange={setFilter} />
      </div>
      {isError && <Notice kind="error">We couldn’t load the prices. Please try again.</Notice>}
      {(data || !isError) && (
        <section className="rounded-card border border-line bg-surface p-4 lg:px-5">
          {/* It keeps its place until it has something to say. */}
          <div className={data ? '' : 'invisible'}>
            <p className="text-sm text-ink" aria-live="polite" hidden={isEmpty}>
              {`${summaryOf(rows)} in all.${selected.length > 0 ? ` Chosen: ${summaryOf(selected)}.` : ''}`}
            </p>
            <Actions
              rows={rows}
              selected={selected}
              day={data?.day ?? ''}
              isEmpty={isEmpty}
              onChoose={(isChosen) => choose(rows, isChosen)}
            />
          </div>
          <RecordTable
            caption="Running plans"
            columns={columnsFor(data?.day ?? '', chosen, choose)}
            items={data ? rows : null}
            getRowId={({ orderId }) => orderId}
          />
          {isEmpty && <p className="py-8 text-center text-sm">No running plan is in this list.</p>}
        </section>
      )}
    </AdminPageLayout>
  );
}

interface ActionsProps {
  rows: readonly PriceRow[];
  selected: readonly PriceRow[];
  day: string;
  /** Then only what was done is shown. */
  isEmpty: boolean;
  onChoose: (isChosen: boolean) => void;
}

function Actions({ rows, selected, day, isEmpty, onChoose }: ActionsProps) {
  /** As it was when the dialog opened: nothing is chosen any more before it has closed. */
  const [asked, setAsked] = useState<AskedNotice | null>(null);
  const [outcome, setOutcome] = useState<NoticeOutcome | null>(null);
  return (
    <>
      <div className="my-3 flex flex-wrap items-center gap-2" hidden={isEmpty}>
        <Checkbox
          label={`Choose all ${withCommas(rows.length)}`}
          checked={rows.length > 0 && selected.length === rows.length}
          disabled={rows.length === 0}
          onChange={({ target }) => onChoose(target.checked)}
          className="mr-3"
        />
        {NOTICE_KINDS.filter((each) => rows.some(ACTIONS[each].fits)).map((each) => (
          <Button
            key={each}
            size="small"
            variant={each === 'price' ? 'primary' : 'quiet'}
            disabled={!selected.some(ACTIONS[each].fits)}
            onClick={() => setAsked({ kind: each, rows: selected.filter(ACTIONS[each].fits) })}
          >
            {`${ACTIONS[each].button}…`}
          </Button>
        ))}
      </div>
      {outcome && (
        <Notice kind={outcome.skipped.length > 0 ? 'warning' : 'success'}>
          {`Done for ${customers(outcome.done)}.${outcome.skipped.length > 0 ? ` Left out: ${outcome.skipped.join('; ')}.` : ''}`}
        </Notice>
      )}
      <GiveNoticeDialog
        asked={asked}
        day={day}
        onDone={(done) => {
          setOutcome(done);
          onChoose(false);
        }}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
