/** Emails a visitor the self-check's report, to that address only, and deletes it after a day. */

import type { Generated } from 'kysely';
import { REPORT_CALLS } from '../limits.ts';
import { SOMEONE_ENTERED } from '../notifications/mail.server.ts';
import type { EmailPart, NotificationKind, Toned } from '../notifications/notification.server.ts';
import { deleteOlder } from '../platform/database/queries.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { refuse, refuseField } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { hasRoomForMail, isOverMailboxLimit } from '../platform/message-limits.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { type Answers, type Check, SEND_REPORT } from './check.ts';
import {
  countsInWords,
  ELEMENT_STATES,
  type ElementState,
  NOT_ADVICE,
  resultOf,
  STATE_LABELS,
  TONES,
} from './score.ts';

const TOO_MANY =
  'Several emails were sent to this address today. Please print this page, or try again tomorrow.';

const refuseMore = () => refuse(429, TOO_MANY, { retryAfter: DAY_MS / 1000 });

export function sendReport({ db, notify, content: { safeguards: check }, mail }: Site): Call {
  return call(
    SEND_REPORT,
    { access: 'anyone', limit: REPORT_CALLS },
    async ({ body: { email, answers } }) => {
      const questionIds = [check.scope, ...check.questions].map(({ id }) => id);
      if (Object.keys(answers).some((id) => !questionIds.includes(id)))
        return refuseField('answers', 'There is no such question');
      if (!mail) return refuse(409, 'We can’t send email from here. Please print this page.');
      if (await isOverMailboxLimit(db, email)) return refuseMore();
      const isStored = await db.transaction().execute(async (trx) => {
        if (!(await hasRoomForMail(trx, email))) return false;
        const report = JSON.stringify(reportOf(check, answers));
        const row = { email, report, createdAt: Date.now() };
        const inserting = trx.insertInto('safeguardsReports').values(row).returning('id');
        const { id } = await inserting.executeTakeFirstOrThrow();
        await notify(trx, safeguardsReport, id);
        return true;
      });
      // Another request was faster.
      if (!isStored) return refuseMore();
      return { sent: true };
    },
  );
}

/** The content of the email at the time of the request, with no text of the visitor's. */
export function reportOf(check: Check, answers: Answers) {
  const result = resultOf(check, answers);
  return {
    counts: countsInWords(result),
    elements: result.elements.map(({ element, state }): [string, string] => [
      `314.4(${element.id})`,
      `${element.name}: ${STATE_LABELS[state]}`,
    ]),
    first: result.first.map(
      ({ question }, index) =>
        `${index + 1}. ${question.short} (${question.cite}): ${question.step}`,
    ),
  };
}

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    safeguardsReports: {
      id: Generated<number>;
      email: string;
      /** The JSON of reportOf(). */
      report: string;
      createdAt: number;
    };
  }
}

export function deleteOldReports({ db }: Site): Interval {
  return new Interval('safeguards-report-cleanup-failed', HOUR_MS, () =>
    deleteOlder(db, 'safeguardsReports', Date.now() - DAY_MS),
  );
}

export const safeguardsReport: NotificationKind<Row<'safeguardsReports'>> = {
  kind: 'safeguards-report',
  label: 'Safeguards report',
  find: (db, id) =>
    db.selectFrom('safeguardsReports').selectAll().where('id', '=', id).executeTakeFirst(),
  reference: (id) => `S-${id}`,
  topic: ({ id }) => `safeguards ${id}`,
  audiences: () => ['customer'],
  limitedRecipient: ({ email }) => email,
  customerEmail({ email, report }, _at, { publicUrl }) {
    // This server wrote it, so its shape is known.
    const { counts, elements, first }: ReturnType<typeof reportOf> = JSON.parse(report);
    const figures = counts.split(', ').map((count): [string, Toned] => {
      const [number = '', ...what] = count.split(' ');
      return [number, toned(what.join(' '))];
    });
    const contact = `${publicUrl}${HOME_SECTIONS.contact.path}`;
    return {
      to: email,
      subject: 'Your FTC Safeguards self-check',
      heading: 'Your FTC Safeguards self-check',
      parts: [
        'The nine elements of 16 CFR Part 314 and the notice to the FTC, based on the answers given:',
        { kind: 'figures', figures },
        ...(first.length > 0 ? firstSteps(first, contact) : []),
        { kind: 'heading', text: 'Element by element' },
        {
          kind: 'facts',
          facts: elements.map(([cite, words]) => {
            const end = words.lastIndexOf(': ');
            return [cite, words.slice(0, end), toned(words.slice(end + 2))];
          }),
        },
        {
          kind: 'words',
          words: [
            `${NOT_ADVICE} It reflects the answers given and verifies nothing. For your own store, ask your attorney. `,
            { label: 'Take the check again', url: `${publicUrl}${SITE_PAGES.safeguards.path}` },
            ' at any time.',
          ],
        },
      ],
      question: 'We won’t call unless you ask. Questions?',
      reason: `${SOMEONE_ENTERED} We won’t send another.`,
    };
  },
};

function firstSteps(first: readonly string[], contact: string): EmailPart[] {
  const items = first.map((step): [string, string] => {
    const [what = '', ...words] = step.replace(/^\d+\. /, '').split(': ');
    return [what, words.join(': ')];
  });
  return [
    { kind: 'heading', text: 'What to do first' },
    'What stops the most common attacks comes first.',
    { kind: 'list', items },
    { kind: 'link', label: 'Ask us about what’s open', url: contact },
  ];
}

/** By its label, as `reportOf` stored it. */
function toned(text: string): Toned {
  const isNamed = (state: ElementState) => STATE_LABELS[state].toLowerCase() === text.toLowerCase();
  return { tone: TONES[ELEMENT_STATES.find(isNamed) ?? 'unknown'], text };
}
