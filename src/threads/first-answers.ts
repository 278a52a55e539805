/** How soon a person answers first, as visitors and staff read it. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list } from '../platform/schema.ts';
import { useSite } from '../platform/site.ts';

/** `answers`: of how many messages in so many days `minutes` is the median. */
export interface FirstAnswers {
  minutes: number;
  answers: number;
  days: number;
}

declare module '../platform/site.ts' {
  interface PublicSite {
    /** Null if it cannot be said. */
    firstAnswers: FirstAnswers | null;
  }
}

/** A sentence that says what the figure is; undefined if it cannot be said. */
export function useFirstAnswersSentence(): string | undefined {
  const { firstAnswers } = useSite();
  if (!firstAnswers) return undefined;
  const { minutes, answers, days } = firstAnswers;
  const soon = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `Our median first answer by a person took ${soon}, over ${answers} messages that came during support hours in the last ${days} days.`;
}

/** The newest week first. `week`: the day of its Monday. `minutes`: null without answers. */
export const LIST_FIRST_ANSWERS = contract('GET /api/admin/first-answers', {
  answer: z.object({
    weeks: list(
      z.object({
        week: z.string(),
        threads: count,
        answered: count,
        minutes: fallback(z.nullable(count), null),
      }),
    ),
  }),
});
