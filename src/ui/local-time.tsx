import { useEffect, useState } from 'react';
import { useSite } from '../platform/site.ts';

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

/** All in the company's time zone, so that staff and customers anywhere read the same day. */
function formatsIn(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options });
  return {
    year: format({ year: 'numeric' }),
    /** 'May 1'. */
    dayOfYear: format({ month: 'short', day: 'numeric' }),
    timeThisYear: format({ month: 'short', day: 'numeric', ...CLOCK }),
    time: format({ dateStyle: 'medium', timeStyle: 'short' }),
    full: format({ dateStyle: 'full', timeStyle: 'long' }),
    date: format({ dateStyle: 'medium' }),
    /** 'Thursday, November 26, 2026'. */
    day: format({ dateStyle: 'full' }),
    clock: format(CLOCK),
    /** 'Thu 3 PM'. */
    hour: format({ weekday: 'short', hour: 'numeric' }),
    hourOfDay: format({ hour: 'numeric' }),
  };
}

/** Made once: a document has one company, and making them takes longer than using them. */
let formats: ReturnType<typeof formatsIn> | undefined;

export function useTimeFormats() {
  const { timeZone } = useSite().company.hours;
  formats ??= formatsIn(timeZone);
  return formats;
}

/** The time now, and again after each interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A time on the company's clock, '—' if it is none. Browser only: this year is left out. */
export function LocalTime({ at, brief = false, clock = false, inList = false }: LocalTimeProps) {
  const formats = useTimeFormats();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>—</span>;
  const isNow = (format: Intl.DateTimeFormat) => format.format(date) === format.format(new Date());
  const short = isNow(formats.year) ? formats.timeThisYear : formats.time;
  const ofDay = isNow(formats.year) ? formats.dayOfYear : formats.date;
  const isToday = (brief || inList) && isNow(formats.date);
  const shown = clock || isToday ? formats.clock : inList ? ofDay : short;
  return (
    <time dateTime={at} title={formats.full.format(date)} className="tabular-nums">
      {shown.format(date)}
    </time>
  );
}

interface LocalTimeProps {
  at: string;
  /** Today's times without the day. */
  brief?: boolean;
  /** Without the day, which stands above. */
  clock?: boolean;
  /** Like `brief`, and other days without the time. */
  inList?: boolean;
}
