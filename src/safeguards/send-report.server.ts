/** The report is asked for by email: kept for a day, and notified of in the same transaction. */
import type { Kysely } from 'kysely';
import type { Notify } from '../notify/outbox.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse, refuseField } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { type Answers, STATE_LABELS } from './answers.ts';
import type { Check } from './check.ts';
import { safeguardsReport } from './report-mailed.server.ts';
import {
  countReportsSince,
  insertReport,
  REPORT_DAY_MS,
  type StoredReport,
} from './report-store.server.ts';
import { countsInWords } from './result-words.ts';
import { SEND_REPORT } from './safeguards-contracts.ts';
import { reportRequest, reportSent } from './safeguards-shapes.ts';
import { resultOf } from './score.ts';

const LIMIT: Limit = {
  name: 'safeguards-report',
  rules: [
    { calls: 3, seconds: 60 },
    { calls: 10, seconds: 60 * 60 },
  ],
};
/** At most so many a day to one email address, which may be somebody else's. */
const A_DAY = 3;
export const NO_SUCH_QUESTION = 'There is no such question';
const TOO_MANY =
  'Several reports were sent to this email address today. Please print this page, or try again tomorrow.';

interface Deps {
  db: Kysely<Tables>;
  notify: Notify;
  check: Check;
  /** Whether emails can be sent at all. */
  mail: boolean;
}

export function sendReport({ db, notify, check, mail }: Deps): Call {
  return call(SEND_REPORT, {
    access: 'anyone',
    limit: LIMIT,
    body: reportRequest,
    answer: reportSent,
    handle: async ({ body: { email, answers, website = '' }, accept }) => {
      if (hasUnknown(check, answers)) return refuseField('answers', NO_SUCH_QUESTION);
      if (!mail) return refuse(409, 'We can’t send email from here. Please print this page.');
      // A program that fills in every field is not told apart, and sends nothing.
      if (website !== '') return { sent: true };
      if ((await countReportsSince(db, email, Date.now() - REPORT_DAY_MS)) >= A_DAY)
        return refuse(429, TOO_MANY, { retryAfter: REPORT_DAY_MS / 1000 });
      await db.transaction().execute(async (trx) => {
        const id = await insertReport(trx, email, reportOf(check, answers));
        await notify(trx, safeguardsReport, id);
      });
      accept();
      return { sent: true };
    },
  });
}

/** Whether there are answers to questions that the check does not have. */
export function hasUnknown({ scope, questions }: Check, answers: Answers): boolean {
  const known = [scope, ...questions].map(({ id }) => id);
  return Object.keys(answers).some((id) => !known.includes(id));
}

function reportOf(check: Check, answers: Answers): StoredReport {
  const result = resultOf(check, answers);
  return {
    counts: countsInWords(result),
    elements: result.elements.map(({ element, state }) => [
      `314.4(${element.id})`,
      `${element.name}: ${STATE_LABELS[state]}`,
    ]),
    first: result.first.map(
      ({ question }, place) =>
        `${place + 1}. ${question.short} (${question.cite}): ${question.step}`,
    ),
  };
}
