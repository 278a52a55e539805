/** How soon staff answer in the chat: the automatic reply promises only what has been true. */
import type { Company } from '../company/company.ts';
import { openUntil } from '../company/hours.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time.ts';

/** The newest answers are enough. */
const MAX_ANSWERS = 200;
const MIN_ANSWERS = 20;
/** 'Usually' means four of five. */
const SHARE = 0.8;
const ROUNDED_TO = 5;
/** No one waits at the screen for longer. */
const MAX_MINUTES = 60;

export type TypicalReplyTime = ReturnType<typeof typicalReplyTime>;

export function typicalReplyTime(db: Db, { hours }: Pick<Company, 'hours'>) {
  let minutes: number | null = null;
  return {
    /** Null if there is nothing to promise. */
    minutes: () => minutes,
    reading: new Interval('typical-reply-time-failed', HOUR_MS, async () => {
      minutes = await typicalReplyMinutes(db, hours, Date.now());
    }),
  };
}

/** Counts from the visitor's first unanswered message, if that came while the desk was open. */
export async function typicalReplyMinutes(
  db: Db,
  hours: Company['hours'],
  now: number,
): Promise<number | null> {
  const waits: number[] = [];
  for (const { at, writtenAt } of await newestAnswers(db, now)) {
    if (writtenAt !== null && openUntil(hours, writtenAt)) waits.push(at - writtenAt);
  }
  if (waits.length < MIN_ANSWERS) return null;
  const usual = waits.toSorted((one, other) => one - other)[Math.ceil(waits.length * SHARE) - 1];
  const minutes = Math.ceil((usual ?? 0) / MINUTE_MS / ROUNDED_TO) * ROUNDED_TO;
  return minutes <= MAX_MINUTES ? minutes : null;
}

function newestAnswers(db: Db, now: number) {
  return db
    .selectFrom('entries as answer')
    .innerJoin('threads', 'threads.id', 'answer.threadId')
    .where('threads.kind', '=', 'chat')
    .where('answer.kind', '=', 'staff')
    .where('answer.at', '>', now - 30 * DAY_MS)
    .where('answer.at', '<=', now)
    .select('answer.at')
    .select(({ selectFrom, fn, val }) => {
      const before = selectFrom('entries as last')
        .select('last.at')
        .whereRef('last.threadId', '=', 'answer.threadId')
        .whereRef('last.at', '<', 'answer.at')
        .where('last.kind', '=', 'staff')
        .orderBy('last.at', 'desc')
        .limit(1);
      return selectFrom('entries as first')
        .select('first.at')
        .whereRef('first.threadId', '=', 'answer.threadId')
        .whereRef('first.at', '<', 'answer.at')
        .where('first.at', '>', fn.coalesce(before, val(0)))
        .where('first.kind', '=', 'visitor')
        .orderBy('first.at')
        .limit(1)
        .as('writtenAt');
    })
    .orderBy('answer.at', 'desc')
    .limit(MAX_ANSWERS)
    .execute();
}
