/**
 * Two signs of a program that fills in forms: a field that people don't see (ui/hidden-field), and a form sent
 * faster than people can write. Neither refuses a message: it is kept and marked, so that a wrong guess costs nothing.
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

/** What the tables say of a message that has just come in. */
export function firstMark({ website = '', fillMs = MIN_FILL_MS }: SpamSigns): 'new' | 'spam' {
  return website !== '' || fillMs < MIN_FILL_MS ? 'spam' : 'new';
}
