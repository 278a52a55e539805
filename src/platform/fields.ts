/** The form fields: single lines, longer texts, email addresses, phone numbers; and spam. */
import * as z from 'zod/mini';
import { MAX_EMAIL } from '../limits.ts';

/** U+0000–U+001F, U+007F–U+009F and Unicode's line breaks: no one types them into a line. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const controlButLineBreaks = /[^\P{Cc}\n\t]/u;
/** What copying brings along unseen, but not the joiners that languages and emoji need. */
const invisible = /(?![\p{Join_Control}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu;
const loneSurrogate = /\p{Cs}/u;
/** No letter has more than 30 marks (UAX #15); normalizing thousands takes seconds. */
const tooManyMarks = /\p{M}{31}/u;

const REFUSED_IN_LINES = [control, loneSurrogate, tooManyMarks];

const UNREADABLE = 'Please remove characters that can’t be displayed';

interface TextLimits {
  min?: number;
  max: number;
  tooShort?: string;
}

/** NFC composes up to this many code units into one, such as a letter and its marks. */
const MAX_COMPOSED = 4;

/** NFC, trimmed, with \n line breaks. Leaves text that will be refused: it could take seconds. */
function normalize(value: string, max: number): string {
  return value.length > MAX_COMPOSED * max || tooManyMarks.test(value)
    ? value
    : value
        .normalize('NFC')
        .replace(/\r\n?|[\v\f\p{Zl}\p{Zp}]/gu, '\n')
        .trim();
}

export function visibleLine(value: string): string {
  return value.replace(invisible, '');
}

function textField(
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

/** One line: trimmed, NFC, at most `max` characters, no invisible or control characters. */
export function singleLine(limits: TextLimits) {
  return textField(limits, REFUSED_IN_LINES, visibleLine);
}

/** Like `singleLine`, but line breaks and tabs are allowed, and invisible characters stay. */
export function multiLine(limits: TextLimits) {
  return textField(limits, [controlButLineBreaks, loneSurrogate, tooManyMarks]);
}

export function usernameField() {
  return singleLine({ min: 1, max: 100, tooShort: 'Username is required' });
}

export const INVALID_EMAIL = 'Please enter a valid email address';
/** Excludes spaces, invisible characters, and what could start a header or a second address. */
const EMAIL =
  /^[^\s@<>(),;:"\\[\]\p{C}\p{DI}]+@(?:[^\s@<>(),;:"\\[\]\p{C}\p{DI}.]+\.)+[^\s@<>(),;:"\\[\]\p{C}\p{DI}.]+$/u;

function isEmail(value: string): boolean {
  return value.length <= MAX_EMAIL && EMAIL.test(value) && !looksLikeAscii(value);
}

/** Whether a letter has an ASCII lower case, as the Kelvin sign has 'k': another's address. */
function looksLikeAscii(value: string): boolean {
  return /\p{ASCII}/u.test(value.replace(/\p{ASCII}/gu, '').toLowerCase());
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
    // So that an index finds it in any case: SQLite's upper() knows only ASCII.
    z.overwrite((value) => value.replace(/\P{ASCII}+/gu, (letters) => letters.toLowerCase())),
  );
}

const SHORT_PHONE = 'Please enter at least 10 digits for your phone number';

/** Escaped, or a hostile address could add recipients or a body, or leave a link in Markdown. */
export function mailAddress(email: string, subject = ''): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*_~]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const at = email.lastIndexOf('@');
  return `mailto:${encode(email.slice(0, at))}@${encode(email.slice(at + 1))}${subject && `?subject=${encode(subject)}`}`;
}

/** Without what overrides the direction of text, and could turn an amount or a name around. */
export function withoutDirections(text: string): string {
  return text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '');
}

/** An optional phone number in any format with at least 10 digits. */
export function phoneField() {
  return optionalField(
    singleLine({ max: 40, tooShort: SHORT_PHONE }).check(
      // Full-width digits of a Japanese or Chinese keyboard.
      z.overwrite((value) => value.normalize('NFKC')),
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

/** The mark of a new message: link markup or more than two links mean spam. Staff still see it. */
export function classifySpam(message: string): 'new' | 'spam' {
  const links = message.match(LINK)?.length ?? 0;
  return links > MAX_LINKS || LINK_MARKUP.test(message) ? 'spam' : 'new';
}

const TITLE = /^(dr|mr|mrs|ms|prof)\.?$/i;

/** 'Dana Whitfield', 'Whitfield, Dana' and 'Dr. Dana Whitfield' → 'Dana'; 'Dr. Whitfield' stays. */
export function firstName(name: string): string {
  const [first = '', second = '', third] = name.replace(/^\S+, *(?=\S)/, '').split(' ');
  if (!TITLE.test(first)) return first.replace(/,$/, '');
  return third === undefined ? name : second;
}
