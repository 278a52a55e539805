const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
const THIS_YEAR = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...CLOCK });
const EARLIER = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' });

/**
 * A time in the reader's time zone, '—' if it cannot be parsed. Render it in the browser only: the server does not know the
 * time zone.
 */
export function LocalTime({ at, full = false }: { at: string; full?: boolean }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>—</span>;
  const short = date.getFullYear() === new Date().getFullYear() ? THIS_YEAR : EARLIER;
  return (
    <time dateTime={at} title={FULL.format(date)} className="tabular-nums">
      {(full ? FULL : short).format(date)}
    </time>
  );
}

/** 'May 1, 2025', the day of a time in the reader's time zone. */
export function formatLocalDay(time: string | Date): string {
  return new Date(time).toLocaleDateString('en-US', { dateStyle: 'long' });
}

/** '2025-05-01' → 'May 1, 2025'. */
export function formatDate(date: string): string {
  return new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
