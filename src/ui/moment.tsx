const SHORT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' });

/** A point in time in the reader's own time zone; only for what is drawn in the browser. */
export function Moment({ at, full = false }: { at: string; full?: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={FULL.format(date)} className="tabular-nums">
      {(full ? FULL : SHORT).format(date)}
    </time>
  );
}
