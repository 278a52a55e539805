/** What the desk says at once: whether it is open, if not, when it opens, and how the reply comes. */
import { isOpen, nextOpening, wallClock } from '../company/business-hours.ts';
import type { Company } from '../company/company.ts';
import { clock } from '../company/hours.ts';
import type { ChatMessage } from './chat-message.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** `at` in milliseconds since 1970; the day and time of the answer are on the company's clock. */
export function firstAnswer(
  { name, email }: Pick<ChatMessage, 'name' | 'email'>,
  { hours, phone }: Pick<Company, 'hours' | 'phone'>,
  at: number,
): string {
  const thanks = name ? `Thank you, ${name}.` : 'Thank you.';
  const desk = isOpen(hours, at)
    ? `Our support desk is open until ${clock(hours.closes)} ${hours.zone}.`
    : `We’re closed right now. Our support desk opens ${openingInWords(hours, nextOpening(hours, at), at)}.`;
  const reply = email
    ? `We’ll email our reply to ${email}.`
    : `For a reply, send your email address or call ${phone.display}.`;
  return `${thanks} ${desk} ${reply}`;
}

/** 'today at 8:30 AM ET', 'tomorrow at …', 'on Monday at …'. */
function openingInWords(
  { timeZone, zone, opens }: Company['hours'],
  opening: number,
  now: number,
): string {
  const time = `${clock(opens)} ${zone}`;
  const { date, weekday } = wallClock(timeZone, opening);
  const daysAway = (Date.parse(date) - Date.parse(wallClock(timeZone, now).date)) / DAY_MS;
  if (daysAway === 0) return `today at ${time}`;
  if (daysAway === 1) return `tomorrow at ${time}`;
  return `on ${weekday} at ${time}`;
}
