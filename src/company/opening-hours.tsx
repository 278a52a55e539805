import { useSite } from '../platform/site.ts';
import { hoursLines } from './hours.ts';
import { OpenNow } from './open-now.tsx';

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
