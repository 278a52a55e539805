import type { ReactNode } from 'react';

/** Terms and what is known of each, in two columns where there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="mt-5 grid gap-3 text-sm sm:grid-cols-[6rem_1fr]">{children}</dl>;
}

interface FactProps {
  term: string;
  /** What is long is read over the whole width, under its term. */
  wide?: boolean;
  children: ReactNode;
}

export function Fact({ term, wide = false, children }: FactProps) {
  return (
    <div className={wide ? 'sm:col-span-2' : 'contents'}>
      <dt className={`text-muted ${wide ? '' : 'max-sm:-mb-3'}`}>{term}</dt>
      <dd className="min-w-0 break-words text-ink">{children}</dd>
    </div>
  );
}

/** Each term with what is known of it; a term of which nothing is known is left out. */
export function FactList({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <Facts>
      {Object.entries(facts).map(
        ([term, fact]) =>
          fact && (
            <Fact key={term} term={term}>
              {fact}
            </Fact>
          ),
      )}
    </Facts>
  );
}

const TONES = {
  neutral: 'bg-paper-deep text-body',
  primary: 'bg-primary-soft text-primary-deep inset-ring inset-ring-primary/25',
  amber: 'bg-amber-bright text-night',
  danger: 'bg-danger-soft text-danger',
};

export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex max-w-full items-center gap-1.5 rounded-full px-3 py-1 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

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

/** 'May 1, 2025', on the reader's clock; `time` as an answer tells it, or a Date. */
export function longDay(time: string | Date): string {
  return new Date(time).toLocaleDateString('en-US', { dateStyle: 'long' });
}

/** '2025-05-01' → 'May 1, 2025'. */
export function longDate(date: string): string {
  return new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
