const TONES = {
  primary: 'bg-current text-primary',
  green: 'bg-emerald-600',
  blue: 'bg-blue-600',
  orange: 'bg-orange-500',
  red: 'bg-red-600',
};

export interface Bar {
  label: string;
  /** Said after the label. */
  detail?: string;
  count: number;
  tone?: keyof typeof TONES;
}

interface BarListProps {
  bars: readonly Bar[];
  /** The count that fills the whole length; when left out, that of the first bar. */
  of?: number;
  empty: string;
}

/** Counts with bars; a label is text that a visitor may have chosen, and stays on one line. */
export function BarList({ bars, of = bars[0]?.count ?? 0, empty }: BarListProps) {
  if (bars.length === 0) return <p className="py-6 text-center text-sm">{empty}</p>;
  return (
    <ul className="grid grid-cols-1 gap-2.5 text-sm">
      {bars.map(({ label, detail, count, tone = 'primary' }) => (
        <li key={label}>
          <div className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 truncate" title={label}>
              <bdi className="font-medium text-ink">{label}</bdi>
              {detail && ` ${detail}`}
            </span>
            <span className="text-ink tabular-nums">{count.toLocaleString('en-US')}</span>
          </div>
          <div className="mt-1 h-1.5 rounded-full bg-paper-deep">
            <div
              data-tone={tone}
              className={`h-full min-w-0.5 rounded-full ${TONES[tone]}`}
              style={{ width: `${percent(count, of)}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Never more than the whole, whatever the figures say. */
function percent(count: number, of: number): number {
  return of <= 0 ? 0 : Math.min(100, (count / of) * 100);
}
