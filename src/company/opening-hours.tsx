import { useSite } from '../platform/site.ts';
import { hoursLines } from './hours.ts';

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

/** Whether the desk is open. The browser fills it in: pages are read long after rendering. */
export function OpenNow() {
  return (
    <span data-open-now className="block font-medium noscript:hidden">
      {'\u00a0'}
    </span>
  );
}
