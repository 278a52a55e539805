/** The form fields: single lines, longer texts, email addresses, phone numbers; and which messages look like spam. */
import * as z from 'zod/mini';
import { MAX_EMAIL } from '../limits.ts';

/** U+0000–U+001F, U+007F–U+009F and Unicode's own line breaks: no one types them into a single line. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const controlButLineBreaks = /[^\P{Cc}\n\t]/u;
/**
 * What is invisible in a line, and copying from contacts, messengers and web pages brings along: zero-width spaces, soft
 * hyphens, marks of direction, which could also make staff read 'fdp.exe' as 'exe.pdf'. Some languages and emoji are
 * spelled with joiners and variation selectors.
 */
const invisible = /(?![\p{Join_Control}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu;
const loneSurrogate = /\p{Cs}/u;
/** No language puts more than 30 combining marks on a letter (UAX #15); normalizing thousands takes seconds. */
const tooManyMarks = /\p{M}{31}/u;

const REFUSED_IN_LINES = [control, loneSurrogate, tooManyMarks];

const UNREADABLE = 'Please remove characters that can’t be displayed';

interface TextLimits {
  min?: number;
  max: number;
  tooShort?: string;
}

/** NFC composes up to this many code units into one: an accented letter may be typed as a letter and several marks. */
const MAX_COMPOSED = 4;

/** NFC, trimmed, with \n line breaks. Leaves text that will be refused anyway: normalizing it could take seconds. */
function normalize(value: string, max: number): string {
  return value.length > MAX_COMPOSED * max || tooManyMarks.test(value)
    ? value
    : value
        .normalize('NFC')
        .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
        .trim();
}

/** The line without invisible characters. */
export function visibleLine(value: string): string {
  return value.replace(invisible, '');
}

function text(
  { min = 0, max, tooShort = 'This field is required' }: TextLimits,
  refused: RegExp[],
  clean = (value: string) => value,
) {
  return z.string(tooShort).check(
    z.overwrite((value) => normalize(clean(value), max)),
    z.minLength(min, tooShort),
    z.maxLength(max, { error: `Please use at most ${max} characters`, abort: true }),
    z.refine((value) => !refused.some((pattern) => pattern.test(value)), UNREADABLE),
  );
}

/** One line of text: trimmed, NFC, at most `max` characters, without invisible ones. Control characters are refused. */
export function singleLine(limits: TextLimits) {
  return text(limits, REFUSED_IN_LINES, visibleLine);
}

/** Like `singleLine`, but line breaks and tabs are allowed, and invisible characters stay. */
export function multiLine(limits: TextLimits) {
  return text(limits, [controlButLineBreaks, loneSurrogate, tooManyMarks]);
}

export function usernameField() {
  return singleLine({ min: 1, max: 100, tooShort: 'Username is required' });
}

export const INVALID_EMAIL = 'Please enter a valid email address';
/** Excludes spaces, invisible characters, and everything that could start a mail header or a second address. */
const EMAIL =
  /^[^\s@<>(),;:"\\[\]\p{C}\p{DI}]+@(?:[^\s@<>(),;:"\\[\]\p{C}\p{DI}.]+\.)+[^\s@<>(),;:"\\[\]\p{C}\p{DI}.]+$/u;

function isEmail(value: string): boolean {
  return value.length <= MAX_EMAIL && EMAIL.test(value) && !looksLikeAscii(value);
}

/**
 * Whether a letter outside ASCII has an ASCII lower case, as the Kelvin sign has 'k': such an address would be found as
 * someone else's, because addresses are compared by their lower case.
 */
function looksLikeAscii(value: string): boolean {
  return /\p{ASCII}/u.test(value.replace(/\p{ASCII}/gu, '').toLowerCase());
}

/** So that an index finds an address in any case: SQLite's upper() knows no other letters than ASCII's. */
function lowerBeyondAscii(value: string): string {
  return value.replace(/\P{ASCII}+/gu, (letters) => letters.toLowerCase());
}

export function emailField() {
  return z.string(INVALID_EMAIL).check(
    // Before NFC, which turns the Kelvin sign into a K.
    z.refine((value) => !looksLikeAscii(value), { error: INVALID_EMAIL, abort: true }),
    z.overwrite((value) => normalize(value.replace(/\p{DI}/gu, ''), MAX_EMAIL)),
    z.refine(
      (value) => isEmail(value) && !REFUSED_IN_LINES.some((pattern) => pattern.test(value)),
      INVALID_EMAIL,
    ),
    z.overwrite(lowerBeyondAscii),
  );
}

const SHORT_PHONE = 'Please enter at least 10 digits for your phone number';

/** An optional phone number in any format with at least 10 digits. */
export function phoneField() {
  return optionalField(
    singleLine({ max: 40, tooShort: SHORT_PHONE }).check(
      z.refine((value) => value === '' || value.replace(/\D/g, '').length >= 10, SHORT_PHONE),
    ),
  );
}

/** A field that may be missing or left empty, which becomes null. */
export function optionalField<Value extends string>(field: z.ZodMiniType<Value, string>) {
  return z.pipe(
    z.nullish(field),
    z.transform((value) => value || null),
  );
}

const LINK = /https?:|www\./gi;
const LINK_MARKUP = /<a\s|\[url/i;
const MAX_LINKS = 2;

/**
 * The mark a new message is stored with: link markup or more than two links mean spam. Staff still see marked messages,
 * so a wrong guess loses nothing.
 */
export function classifySpam(message: string): 'new' | 'spam' {
  const links = message.match(LINK)?.length ?? 0;
  return links > MAX_LINKS || LINK_MARKUP.test(message) ? 'spam' : 'new';
}
