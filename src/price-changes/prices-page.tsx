/** /admin/prices: who pays what, against the catalogue; staff give notice and take it back. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { toDollars, totalOf, withCommas } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { AdminPageLayout, RefreshButton } from '../ui/admin-page-layout.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Field, Select } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { RecordTable } from '../ui/records/record-table.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import {
  GIVE_NOTICE,
  LIST_PRICES,
  MAX_NOTICES,
  NOTICE_KINDS,
  type NoticeKind,
  type NoticeOutcome,
  type PriceRow,
} from './price-change-api.ts';
import { columnsFor, hasNotice, isToChange, perMonth, shownPrices } from './price-columns.tsx';

const FILTERS = { change: isToChange, notice: hasNotice, all: () => true };
const SEGMENTS = [
  { value: 'change', label: 'Other price' },
  { value: 'notice', label: 'Notice given' },
  { value: 'all', label: 'All plans' },
] as const;

const ACTIONS = {
  price: {
    button: 'Give notice',
    fits: isToChange,
    text: 'Each customer gets an email with both prices and the day of the first charge, at least 30 days ahead where a price goes up. You can take it back until the day before.',
    byHand:
      'Email is not set up. Deliver the notice yourself first: both prices and the day of the first charge, at least 30 days ahead where a price goes up. You can take it back until the day before.',
  },
  'take-back': {
    button: 'Take back',
    fits: hasNotice,
    text: 'The price stays as it is, and each customer whose email has left gets another that says so.',
    byHand: 'The price stays as it is. Email is not set up, so tell each customer yourself.',
  },
  terms: {
    button: 'Notice of changed terms',
    fits: () => true,
    text: 'Each customer gets an email with a link to the terms of service, which says that they change in 30 days. Publish the new terms first. No price changes.',
    byHand:
      'Email is not set up. Deliver the notice yourself first: the terms of service change in 30 days. Publish the new terms before. No price changes.',
  },
} satisfies Record<NoticeKind, object>;

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
  const { mail } = useSite();
  /** As it was when the dialog opened: nothing is chosen any more before it has closed. */
  const [asked, setAsked] = useState<{ kind: NoticeKind; rows: readonly PriceRow[] } | null>(null);
  const [byHand, setByHand] = useState(false);
  const [outcome, setOutcome] = useState<NoticeOutcome | null>(null);
  const close = () => {
    setAsked(null);
    setByHand(false);
  };
  const { kind = null, rows: fitting = [] } = asked ?? {};
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
      <Dialog
        open={kind !== null}
        onClose={close}
        title={kind ? `${ACTIONS[kind].button}?` : ''}
        subtitle={kind === 'terms' ? customers(fitting.length) : summaryOf(fitting)}
      >
        {kind && (
          <Confirm
            verb={ACTIONS[kind].button}
            variant={kind === 'take-back' ? 'danger' : 'primary'}
            act={async () => {
              setOutcome(await inParts(fitting, { kind, day, byHand }));
              onChoose(false);
            }}
            reloads
            onClose={close}
          >
            <p>{mail ? ACTIONS[kind].text : ACTIONS[kind].byHand}</p>
            {kind !== 'take-back' && (
              <Checkbox
                label="I delivered it by hand"
                detail="No email is sent."
                checked={byHand}
                onChange={({ target }) => setByHand(target.checked)}
              />
            )}
          </Confirm>
        )}
      </Dialog>
    </>
  );
}

/** A press that fails halfway can be repeated: no customer gets a second notice. */
async function inParts(
  rows: readonly PriceRow[],
  notice: { kind: NoticeKind; day: string; byHand: boolean },
) {
  const all: NoticeOutcome = { done: 0, skipped: [] };
  for (let start = 0; start < rows.length; start += MAX_NOTICES) {
    const part = rows.slice(start, start + MAX_NOTICES);
    const orders = part.map(({ orderId: id, after }) => ({ id, after: toDollars(totalOf(after)) }));
    const body = { ...notice, orders };
    const { done, skipped } = await fetchCall(GIVE_NOTICE, { body }).catch((error: unknown) => {
      // What the parts before have done is told.
      if (start === 0) throw error;
      return { done: 0, skipped: [reasonOf(error)] };
    });
    all.done += done;
    all.skipped.push(...skipped);
  }
  return all;
}

function customers(count: number): string {
  return `${withCommas(count)} ${count === 1 ? 'customer' : 'customers'}`;
}

/** '12 customers, +$360.00 a month'. */
function summaryOf(rows: readonly PriceRow[]): string {
  const sum = rows.reduce((total, row) => total + shownPrices(row).difference, 0);
  return `${customers(rows.length)}, ${perMonth(sum)}`;
}
