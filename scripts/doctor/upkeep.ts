/** What goes out of date by itself, and what a new site still lacks. */
import { localDate } from '../../src/company/hours.ts';
import type { Content } from '../../src/content.server.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import type { Check, Report } from './report.ts';

/** Holidays are up to three and a half months apart. */
const CLOSURES_AHEAD_DAYS = 60;

export const checkUpkeep: Check = (report, { content }) => {
  checkClosures(report, content);
  const { google, bing } = content.company.siteVerification;
  if (google || bing) report.ok('search engines can verify whose site this is');
  else
    report.warning(
      'search engines cannot verify whose site this is',
      'Enter the codes from Google Search Console and Bing Webmaster Tools under siteVerification in content/company.json.',
    );
};

function checkClosures(report: Report, { company }: Content): void {
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
}
