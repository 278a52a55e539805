/** The rows of the page Prices: who pays what, what it would be, and the notices given. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isOpen, type Withdrawal } from '../billing/notice.ts';
import { findOffer, type PriceLine } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { type Cents, cents, formatDollars, totalOf, withCommas } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Column } from '../ui/records/record-table.tsx';
import { type NoticeView, PREVIEW_NOTICE, type PriceRow } from './price-change-api.ts';

export const hasNotice = ({ price }: PriceRow) => price !== null && isOpen(price);
export const isToChange = (row: PriceRow) => row.firstChargeAt !== null && !hasNotice(row);

/** While a notice is open, what it announced; otherwise what a notice would. */
export function shownPrices(row: PriceRow) {
  const { before, after } = (hasNotice(row) && row.price) || row;
  return { before, after, difference: totalOf(after) - totalOf(before) };
}

export function perMonth(difference: number): string {
  const size = formatDollars(cents(Math.abs(difference)));
  return `${difference < 0 ? '−' : '+'}${size} a month`;
}

function bothPrices(before: Cents, after: Cents): string {
  return before === after
    ? formatDollars(before)
    : `${formatDollars(before)} → ${formatDollars(after)}`;
}

export function columnsFor(
  day: string,
  chosen: ReadonlySet<number>,
  choose: (rows: readonly PriceRow[], isChosen: boolean) => void,
): readonly Column<PriceRow>[] {
  const className = 'max-lg:col-span-2 py-2 align-top tabular-nums lg:py-3';
  return [
    {
      heading: 'Customer',
      className,
      cell: (row) => (
        <Checkbox
          label={<bdi className="wrap-anywhere">{row.company ?? row.name}</bdi>}
          detail={`${row.reference}, ${row.planName}`}
          checked={chosen.has(row.orderId)}
          className="lg:-my-2"
          onChange={({ target }) => choose([row], target.checked)}
        />
      ),
    },
    {
      heading: 'Prices',
      className,
      cell: (row) =>
        shownPrices(row).after.map((line) => (
          <p key={`${line.kind} ${line.label}`} className="text-xs">
            {changeOfLine(line, shownPrices(row).before)}
          </p>
        )),
    },
    {
      heading: 'Now → new, a month',
      className,
      cell: (row) => {
        const { before, after, difference } = shownPrices(row);
        return (
          <>
            <span className="whitespace-nowrap">
              {after.length > 0 ? bothPrices(totalOf(before), totalOf(after)) : 'By agreement'}
            </span>
            {difference !== 0 && (
              <strong className="block font-medium text-ink">{perMonth(difference)}</strong>
            )}
          </>
        );
      },
    },
    { heading: 'First charge', className, cell: (row) => <FirstCharge row={row} /> },
    {
      heading: 'Notice',
      className,
      cell: (row) => (
        <div className="grid justify-items-start gap-2">
          {row.price && <NoticeState what="price" notice={row.price} />}
          {row.terms && <NoticeState what="terms" notice={row.terms} />}
          {isToChange(row) && <PreviewButton row={row} day={day} />}
        </div>
      ),
    },
  ];
}

function changeOfLine(line: PriceLine, before: readonly PriceLine[]): string {
  const { label, quantity, unitPrice } = line;
  const had = findOffer(before, line) ?? line;
  const many = quantity > 1 ? ` × ${withCommas(quantity)}` : '';
  return `${label}${many}: ${bothPrices(had.unitPrice, unitPrice)}`;
}

function FirstCharge({ row }: { row: PriceRow }) {
  const { company } = useSite();
  const at = hasNotice(row) ? row.price?.effectiveAt : row.firstChargeAt;
  return at ? (
    <>
      <span className="lg:hidden">{'First charge '}</span>
      <time dateTime={at}>{formatDay(company, Date.parse(at))}</time>
    </>
  ) : null;
}

const MAILS = {
  waiting: { tone: 'neutral', words: 'Email waiting' },
  accepted: { tone: 'primary', words: 'Email delivered' },
  failed: { tone: 'danger', words: 'Email not delivered' },
} as const;

const WITHDRAWN_WORDS: Record<Withdrawal, string> = {
  'taken-back': 'taken back',
  undelivered: 'not delivered, so withdrawn',
  'nothing-left': 'withdrawn, as the order no longer has what it named',
};

function noticeInWords({ state, reason }: NoticeView, what: 'price' | 'terms'): string {
  switch (state) {
    case 'announced':
      return `New ${what} announced`;
    case 'applying':
      return 'New price comes with the next bill';
    case 'charged':
      return 'New price charged';
    case 'withdrawn':
      return `Notice of new ${what} ${WITHDRAWN_WORDS[reason ?? 'taken-back']}`;
  }
}

function NoticeState({ what, notice }: { what: 'price' | 'terms'; notice: NoticeView }) {
  const { company } = useSite();
  const { state, at, by, mail, before, after, effectiveAt } = notice;
  return (
    <div className="grid justify-items-start gap-1 text-xs">
      <p>{noticeInWords(notice, what)}</p>
      <p>
        <LocalTime at={at} />
        <span>{` by ${by}`}</span>
      </p>
      {what === 'price' && state === 'withdrawn' && (
        <p>
          {`${bothPrices(totalOf(before), totalOf(after))} from ${formatDay(company, Date.parse(effectiveAt))}`}
        </p>
      )}
      {mail && <Badge tone={MAILS[mail].tone}>{MAILS[mail].words}</Badge>}
    </div>
  );
}

function PreviewButton({ row, day }: { row: PriceRow; day: string }) {
  const [open, setOpen] = useState(false);
  const { orderId: order, reference } = row;
  const { data, error } = useQuery({
    queryKey: [PREVIEW_NOTICE.path, day, order],
    queryFn: () => fetchCall(PREVIEW_NOTICE, { body: { kind: 'price', day, order } }),
    enabled: open,
  });
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="quiet"
        size="row"
        aria-label={`Preview email, ${reference}`}
        onClick={() => setOpen(true)}
      >
        Preview email
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={data?.subject ?? 'Email'}
        subtitle={data ? `To ${data.to}` : reference}
      >
        {error && <Notice kind="error">{reasonOf(error, 'Couldn’t load the email.')}</Notice>}
        <pre className="font-mono text-xs wrap-anywhere whitespace-pre-wrap">{data?.text}</pre>
        <Button variant="quiet" className="mt-4" onClick={close}>
          Close
        </Button>
      </Dialog>
    </>
  );
}
