/** What goes out of date by itself: the days on which the desk is closed. */
import { localDate } from '../../src/company/hours.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import type { Check } from './report.ts';

/** Holidays are up to three and a half months apart. */
const CLOSURES_AHEAD_DAYS = 60;

export const checkUpkeep: Check = (report, { content: { company } }) => {
  const today = Date.now();
  const last = company.hours.closures
    .map(({ date }) => date)
    .sort()
    .at(-1);
  const text = last ? `the last closure is on ${last}` : 'no closures are listed';
  if (last && last > localDate(company, today + CLOSURES_AHEAD_DAYS * DAY_MS)) report.ok(text);
  else
    report.warning(
      `${text}, so the site will say that the desk is open on holidays`,
      'Add the coming holidays to hours.closures in content/company.json.',
    );
};
