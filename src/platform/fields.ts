/** What forms may send: lines and texts, addresses and phone numbers, and the signs of spam. */
import * as z from 'zod/mini';

/** U+0000–U+001F and U+007F–U+009F: nothing that a person types into a single line. */
const control = /\p{Cc}/u;
const controlButLineBreaks = /[^\P{Cc}\n\t]/u;
/** They can make 'fdp.exe' read as 'exe.pdf' in the eyes of staff. */
const bidirectionalOverride = /[\u202A-\u202E\u2066-\u2069]/u;
const loneSurrogate = /\p{Cs}/u;
/** No language sets more than 30 marks on a letter (UAX #15), and to sort thousands of them takes seconds. */
const pileOfMarks = /\p{M}{31}/u;

const REFUSED_IN_LINES = [control, bidirectionalOverride, loneSurrogate, pileOfMarks];

const UNREADABLE = 'Please remove characters that can’t be displayed';

interface TextLimits {
  min?: number;
  max: number;
  tooShort?: string;
}

/** How many characters may become one by NFC, as an accented letter that was typed in parts does. */
const MOST_PARTS = 4;

/** NFC, trimmed, with one kind of line break. What is too long or a pile of marks stays as it came, and is refused. */
function tidy(value: string, max: number): string {
  return value.length > MOST_PARTS * max || pileOfMarks.test(value)
    ? value
    : value.normalize('NFC').replace(/\r\n?/g, '\n').trim();
}

function text(
  { min = 0, max, tooShort = 'This field is required' }: TextLimits,
  refused: RegExp[],
) {
  return z.string(tooShort).check(
    z.overwrite((value) => tidy(value, max)),
    z.minLength(min, tooShort),
    z.maxLength(max, { error: `Please use at most ${max} characters`, abort: true }),
    z.refine((value) => !refused.some((pattern) => pattern.test(value)), UNREADABLE),
  );
}

/** One line of text: trimmed, NFC, capped, free of control characters and of bidirectional overrides. */
export function singleLine(limits: TextLimits) {
  return text(limits, REFUSED_IN_LINES);
}

/** Text that may have line breaks, otherwise as `singleLine`. */
export function multiLine(limits: TextLimits) {
  return text(limits, [controlButLineBreaks, loneSurrogate, pileOfMarks]);
}

export function usernameField() {
  return singleLine({ min: 1, max: 100, tooShort: 'Username is required' });
}

/** Capped, or a long password would be a way to keep the server busy. */
export const LONGEST_PASSWORD = 1000;

export const MAX_EMAIL = 254;
export const INVALID_EMAIL = 'Please enter a valid email address';
/** No spaces, and none of the characters with which a mail header or a second address begins. */
const EMAIL = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+\.[^\s@<>(),;:"\\[\]]+$/;

export function isEmail(value: string): boolean {
  return value.length <= MAX_EMAIL && EMAIL.test(value);
}

export function emailField() {
  return z.string(INVALID_EMAIL).check(
    z.overwrite((value) => tidy(value, MAX_EMAIL)),
    z.refine(
      (value) => isEmail(value) && !REFUSED_IN_LINES.some((pattern) => pattern.test(value)),
      INVALID_EMAIL,
    ),
  );
}

export const SHORT_PHONE = 'Please enter at least 10 digits for your phone number';

/** An optional phone number in any format that has 10 digits; '' counts as none. */
export function phoneField() {
  return z.pipe(
    z.nullish(
      singleLine({ max: 40, tooShort: SHORT_PHONE }).check(
        z.refine((value) => value === '' || value.replace(/\D/g, '').length >= 10, SHORT_PHONE),
      ),
    ),
    z.transform((value) => value || null),
  );
}

const MIN_FILL_MS = 2_000;
const LONGEST_WEBSITE = 2_000;

/**
 * What marks a message as spam: text in a field that people don't see (ui/fields/hidden-field), or an address to follow in
 * a form that was sent faster than people can write. Speed alone marks nobody, for browsers fill in forms too. A
 * marked message is kept and shown, so that a wrong guess costs nothing. To be spread into the schema of what a form
 * sends. Both may be missing: a form without script knows no time.
 */
export const spamSigns = {
  website: z.optional(z.string().check(z.maxLength(LONGEST_WEBSITE))),
  /** From the form's appearance to its submission, in milliseconds. */
  fillMs: z.optional(z.number()),
};

interface SpamSigns {
  website?: string | undefined;
  fillMs?: number | undefined;
}

const LINK = /https?:|www\.|\[url/i;

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
  return website !== '' || (fillMs < MIN_FILL_MS && LINK.test(message)) ? 'spam' : 'new';
}
