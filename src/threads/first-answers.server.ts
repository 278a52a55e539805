/** How long a person's first answer took to what came while the desk was open. */
import type { Company } from '../company/company.ts';
import { localDate } from '../company/days.ts';
import { openUntil } from '../company/hours.ts';
import { CHUNK_SIZE, inBatches, olderThan } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { DAY_MS, MINUTE_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { type FirstAnswers, LIST_FIRST_ANSWERS } from './first-answers.ts';
import { ANSWER_KINDS } from './thread.ts';

const DAYS = 30;
const WEEKS = 12;
/** Fewer say nothing. */
const MIN_ANSWERS = 20;

export type FirstAnswersFigure = ReturnType<typeof firstAnswersFigure>;

export function firstAnswersFigure(db: Db, company: Company) {
  let figure: FirstAnswers | null = null;
  return {
    /** Null if it cannot be said. */
    current: () => figure,
    reading: new Interval('first-answers-failed', DAY_MS, async () => {
      const waits = (await readThreads(db, company, DAYS)).flatMap(({ wait }) => wait ?? []);
      figure =
        waits.length < MIN_ANSWERS
          ? null
          : { minutes: medianMinutes(waits), answers: waits.length, days: DAYS };
    }),
  };
}

export function firstAnswersCall({ db, company }: Site): Call {
  return call(LIST_FIRST_ANSWERS, 'staff', async () => {
    const byWeek = Map.groupBy(await readThreads(db, company, WEEKS * 7), ({ week }) => week);
    const weeks = [...byWeek].map(([week, threads]) => {
      const waits = threads.flatMap(({ wait }) => wait ?? []);
      const minutes = waits.length === 0 ? null : medianMinutes(waits);
      return { week, threads: threads.length, answered: waits.length, minutes };
    });
    return { weeks: weeks.sort((one, other) => other.week.localeCompare(one.week)) };
  });
}

/** `wait`: null for what nobody has answered. Spam is not answered. */
async function readThreads(db: Db, company: Company, days: number) {
  const now = Date.now();
  const since = now - days * DAY_MS;
  const newest = db
    .selectFrom('threads')
    .select(['id', 'createdAt', 'lastAt'])
    .select(({ selectFrom }) =>
      selectFrom('entries')
        .select(({ fn }) => fn.min('at').as('at'))
        .whereRef('threadId', '=', 'threads.id')
        .where('kind', 'in', ANSWER_KINDS)
        .where('at', '<=', now)
        .as('answeredAt'),
    )
    // An index finds these; what came later was not begun before.
    .where('lastAt', '>', since)
    .where('createdAt', '>', since)
    .where('status', '!=', 'spam')
    .orderBy('lastAt', 'desc')
    .orderBy('id', 'desc')
    .limit(CHUNK_SIZE);
  const batches = inBatches(
    (last: Awaited<ReturnType<typeof newest.execute>>[number] | undefined) => {
      const before = last && { createdAt: last.lastAt, id: last.id };
      return newest
        .where(olderThan(before, Number.MAX_SAFE_INTEGER, 'threads', 'lastAt'))
        .execute();
    },
  );
  const begun: { week: string; wait: number | null }[] = [];
  for await (const threads of batches)
    for (const { createdAt, answeredAt } of threads)
      if (openUntil(company.hours, createdAt))
        begun.push({
          week: mondayOf(localDate(company, createdAt)),
          wait: answeredAt === null ? null : Math.max(0, answeredAt - createdAt),
        });
  return begun;
}

function medianMinutes(waits: readonly number[]): number {
  const sorted = waits.toSorted((one, other) => one - other);
  return Math.max(1, Math.ceil((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) / MINUTE_MS));
}

/** '2026-11-28' → '2026-11-23'. */
function mondayOf(day: string): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, day.length);
}
