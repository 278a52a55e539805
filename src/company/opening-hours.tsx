import { useSite } from '../platform/site.ts';
import { hoursLines } from './hours.ts';

/** One line for the open days and one for the closed; a narrow column breaks between days and times only. */
export function OpeningHours() {
  return hoursLines(useSite().company.hours).map(({ days, times }) => (
    <span key={days} className="block">
      {days}: <span className="inline-block">{times}</span>
    </span>
  ));
}
