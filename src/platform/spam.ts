/**
 * What marks a message as spam: text in a field that people don't see (ui/hidden-field), or an address to follow in
 * a form that was sent faster than people can write. Speed alone marks nobody, for browsers fill in forms too. A
 * marked message is kept and shown, so that a wrong guess costs nothing.
 */
import * as z from 'zod/mini';

const MIN_FILL_MS = 2_000;
const LONGEST_WEBSITE = 2_000;

/** To be spread into the schema of what a form sends. Both may be missing: a form without script knows no time. */
export const spamSigns = {
  website: z.optional(z.string().check(z.maxLength(LONGEST_WEBSITE))),
  /** From the form's appearance to its submission, in milliseconds. */
  fillMs: z.optional(z.number()),
};

interface SpamSigns {
  website?: string | undefined;
  fillMs?: number | undefined;
}

const ADDRESS = /https?:|www\.|\[url/i;

/** What a form sends of the two: only what is a sign. */
export function signsToSend(website: string, fillMs: number): SpamSigns {
  return { ...(website && { website }), ...(fillMs < MIN_FILL_MS && { fillMs }) };
}

/** What the tables say of a message that has just come in. */
export function firstMark({
  message,
  website = '',
  fillMs = MIN_FILL_MS,
}: SpamSigns & { message: string }): 'new' | 'spam' {
  return website !== '' || (fillMs < MIN_FILL_MS && ADDRESS.test(message)) ? 'spam' : 'new';
}
