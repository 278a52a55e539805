import { Suspense, useSyncExternalStore } from 'react';
import { useSite } from '../platform/site.ts';
import { hoursLines, keepTimesTogether, openNow } from './hours.ts';

/** Whether the desk is open, then its hours. A line breaks only between days and times. */
export function OpeningHours() {
  return (
    <>
      <OpenNow />
      {hoursLines(useSite().company.hours).map(({ days, times }) => (
        <span key={days} className="block">
          <span>{`${days}: `}</span>
          <span className="inline-block">{times}</span>
        </span>
      ))}
    </>
  );
}

/**
 * Whether the desk is open. The browser fills it in: pages are read long after rendering. The
 * Suspense boundary makes the first use of Intl, which takes a phone 40 ms, a task of its own.
 */
export function OpenNow() {
  return (
    <Suspense>
      <StateNow />
    </Suspense>
  );
}

function StateNow() {
  const { hours } = useSite().company;
  const text = useSyncExternalStore(
    everyHalfMinute,
    () => openNow(hours, Date.now()),
    () => '',
  );
  return (
    <span className="block font-medium noscript:hidden">{keepTimesTogether(text) || '\u00a0'}</span>
  );
}

function everyHalfMinute(onChange: () => void) {
  const timer = setInterval(onChange, 30_000);
  return () => clearInterval(timer);
}
