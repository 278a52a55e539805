/** What forms may send: lines and texts, addresses and phone numbers; and which messages look like spam. */
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
/** No spaces, none of the characters with which a mail header or a second address begins, and nothing invisible. */
const EMAIL =
  /^[^\s@<>(),;:"\\[\]\p{C}\p{DI}]+@(?:[^\s@<>(),;:"\\[\]\p{C}\p{DI}.]+\.)+[^\s@<>(),;:"\\[\]\p{C}\p{DI}.]+$/u;

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

const LINK = /https?:|www\./gi;
const LINK_MARKUP = /<a\s|\[url/i;
const MOST_LINKS = 2;

/**
 * What is stored with a new message: link markup or many links mean spam. A message that is marked is kept and shown,
 * so that a wrong guess costs nothing.
 */
export function classifySpam(message: string): 'new' | 'spam' {
  const links = message.match(LINK)?.length ?? 0;
  return links > MOST_LINKS || LINK_MARKUP.test(message) ? 'spam' : 'new';
}
