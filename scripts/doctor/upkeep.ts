/** What goes out of date by itself, and what a new site still lacks. */
import { localDate } from '../../src/company/days.ts';
import type { Content } from '../../src/content.server.ts';
import type { Env } from '../../src/env.server.ts';
import { OLD_COPY_MS } from '../../src/notifications/nightly-copy.server.ts';
import { findCopies } from '../../src/platform/database/copies.server.ts';
import { DAY_MS, isoTime } from '../../src/platform/time.ts';
import type { Check, Report } from './report.ts';

/** Holidays are up to three and a half months apart. */
const CLOSURES_AHEAD_DAYS = 60;

export const checkUpkeep: Check = (report, { env, content }) => {
  checkCopies(report, env);
  checkClosures(report, content);
  checkReviews(report, content);
  checkPrices(report, content);
  const { google, bing } = content.company.siteVerification;
  if (google || bing) report.ok('search engines can verify whose site this is');
  else
    report.warning(
      'search engines cannot verify whose site this is',
      'Enter the codes from Google Search Console and Bing Webmaster Tools under siteVerification in content/company.json.',
    );
};

function checkCopies(report: Report, env: Env): void {
  const { backups } = env;
  if (!backups) {
    report.warning(
      'BACKUP_DIR is not set, so no copy of the database is made at night',
      'Name a folder there, whose files another machine fetches.',
    );
    return;
  }
  const made = findCopies(env, backups.folder).at(-1)?.madeAt;
  const text = made ? `the newest copy of the database is of ${isoTime(made)}` : 'there is no copy';
  if (made && made > Date.now() - OLD_COPY_MS) report.ok(text);
  else
    report.error(
      `${text}, in ${backups.folder}`,
      "See backup-failed in the server's log, and run npm run backup.",
    );
}

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

/** 'YYYY-MM-DD' */
function yearAgo(): string {
  const day = new Date();
  day.setUTCFullYear(day.getUTCFullYear() - 1);
  return day.toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function checkReviews(report: Report, { articles }: Content): void {
  const old = articles.filter(({ reviewed }) => reviewed < yearAgo()).map(({ slug }) => slug);
  if (old.length === 0) report.ok('every article was reviewed within a year');
  else
    report.warning(
      `articles that nobody has reviewed for a year: ${old.join(', ')}`,
      'Check that they are still true, correct them, and set reviewed in content/news.',
    );
}

/** Prices of Microsoft's licenses and of backup change without us. */
function checkPrices(report: Report, { addOns }: Content): void {
  const ofOption = Map.groupBy(addOns.microsoft365, ({ option }) => option).values();
  const old = [...ofOption, addOns.cloudBackup]
    .flatMap((rows) => rows.toSorted((one, other) => other.from.localeCompare(one.from))[0] ?? [])
    .flatMap(({ label, from }) => (from < yearAgo() ? [label] : []));
  if (old.length === 0) report.ok('every price of an add-on is from within a year');
  else
    report.warning(
      `prices older than a year: ${old.join(', ')}`,
      'Compare them with your supplier’s, and add a row with today’s date to content/catalogue/add-ons.json.',
    );
}
