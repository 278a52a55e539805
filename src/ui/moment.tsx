const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
const THIS_YEAR = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...CLOCK });
const EARLIER = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' });

/** A point in time in the reader's own time zone, '—' for one that is not known; only for what is drawn in the browser. */
export function Moment({ at, full = false }: { at: string; full?: boolean }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '—';
  const short = date.getFullYear() === new Date().getFullYear() ? THIS_YEAR : EARLIER;
  return (
    <time dateTime={at} title={FULL.format(date)} className="tabular-nums">
      {(full ? FULL : short).format(date)}
    </time>
  );
}
