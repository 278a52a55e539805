/** The automatic reply in the chat, stored as values and put into words when it is read. */

import * as z from 'zod/mini';
import type { Company } from '../company/company.ts';
import { nextOpening, openUntil } from '../company/hours.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { firstName } from '../platform/fields.ts';
import { parseJson } from '../platform/schema.ts';
import { HOUR_MS, MINUTE_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import type { FirstAnswers } from '../threads/first-answers.ts';
import { ANSWER_KINDS } from '../threads/thread.ts';
import { fillIn } from './chat-words.ts';

const reply = z.object({
  /** When the desk closes, or when it opens: '5:30 PM ET', 'tomorrow at 8:30 AM ET'. */
  until: z.nullable(z.string()),
  opens: z.nullable(z.string()),
  /** How soon staff usually answer, if that can be promised. */
  minutes: z.nullable(z.int()),
  byEmail: z.boolean(),
});
export type Reply = z.output<typeof reply>;

/** No one waits at the screen for longer. */
const MAX_MINUTES = 60;

/** `at` in milliseconds. */
export function replyAt(
  { hours }: Pick<Company, 'hours'>,
  at: number,
  soon: Pick<FirstAnswers, 'minutes'> | null,
  byEmail: boolean,
): Reply {
  const until = openUntil(hours, at);
  const minutes = soon && soon.minutes <= MAX_MINUTES ? Math.ceil(soon.minutes / 5) * 5 : null;
  return until
    ? { until, opens: null, minutes, byEmail }
    : { until: null, opens: openingInWords(hours, at), minutes: null, byEmail };
}

/** 'today at 8:30 AM ET', 'tomorrow at …', 'on Monday at …', 'on Monday, January 4, at …'. */
function openingInWords(hours: Company['hours'], at: number): string {
  const { daysAway, day, time } = nextOpening(hours, at);
  if (daysAway === 0) return `today at ${time}`;
  if (daysAway === 1) return `tomorrow at ${time}`;
  return `on ${day} at ${time}`;
}

/** Once an hour, and not in a conversation with a person. */
export async function isReplyDue(trx: Db, threadId: number): Promise<boolean> {
  const now = Date.now();
  const recent = await trx
    .selectFrom('entries')
    .select('id')
    .where('threadId', '=', threadId)
    .where(({ eb, or, and }) =>
      or([
        and([eb('kind', '=', 'reply'), eb('at', '>', now - HOUR_MS)]),
        and([eb('kind', 'in', ANSWER_KINDS), eb('at', '>', now - 10 * MINUTE_MS)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return recent === undefined;
}

/** `data`: a `Reply` as stored. */
export function replyInWords(
  { content, company: { phone } }: Pick<Site, 'content' | 'company'>,
  data: string | null,
  { name, email }: Pick<Row<'threads'>, 'name' | 'email'>,
): string {
  const { reply: words } = content.chat;
  const stored = reply.safeParse(parseJson(data ?? '')).data;
  if (!stored) return '';
  const { until, opens, minutes, byEmail } = stored;
  return [
    name ? fillIn(words.thanksByName, { name, firstName: firstName(name) }) : words.thanks,
    until === null
      ? fillIn(words.closed, { time: opens ?? '' })
      : fillIn(words.open, { time: until }),
    ...(minutes === null ? [] : [fillIn(words.usually, { minutes: String(minutes) })]),
    !byEmail
      ? fillIn(words.here, { phone: phone.display })
      : email
        ? fillIn(words.byEmail, { email })
        : fillIn(words.noEmail, { phone: phone.display }),
  ].join(' ');
}
