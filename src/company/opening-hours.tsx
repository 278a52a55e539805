import { useSyncExternalStore } from 'react';
import { useSite } from '../platform/site.ts';
import { hoursLines, openNow, unbroken } from './hours.ts';

/**
 * Whether the desk is open, then one line for the open days and one for the closed; a narrow column breaks between days
 * and times only.
 */
export function OpeningHours() {
  return (
    <>
      <OpenNow />
      {hoursLines(useSite().company.hours).map(({ days, times }) => (
        <span key={days} className="block">
          {days}: <span className="inline-block">{times}</span>
        </span>
      ))}
    </>
  );
}

/**
 * Whether the desk is open, as the chat says it. A page is rendered long before it is read, so the server keeps the
 * line free and leaves it empty; without script it is not there.
 */
export function OpenNow() {
  const { hours } = useSite().company;
  const words = useSyncExternalStore(
    everyHalfMinute,
    () => openNow(hours, Date.now()),
    () => '',
  );
  return <span className="block font-medium noscript:hidden">{unbroken(words) || '\u00a0'}</span>;
}

function everyHalfMinute(look: () => void) {
  const timer = setInterval(look, 30_000);
  return () => clearInterval(timer);
}
