/** What the form fields accept, how they normalize it, and the messages for the rest. */
import { describe, expect, test, vi } from 'vitest';
import type * as z from 'zod/mini';
import { credentials } from '../staff/staff-api.ts';
import { emailField, firstName, multiLine, phoneField, singleLine } from './fields.ts';
import { readSearch } from './list-query.ts';

const line = singleLine({ max: 10 });
const lines = multiLine({ max: 10 });

/** The parsed value, or the first message. */
function parse(schema: z.ZodMiniType, value: unknown): unknown {
  const { success, data, error } = schema.safeParse(value);
  return success ? { ok: data } : error.issues[0]?.message;
}
const ok = (value: unknown) => ({ ok: value });

/** Copied along from contacts, messengers, word processors and web pages. */
const INVISIBLE = [
  ...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
  ...'\u200b\u200e\u200f\u00ad\u2060\ufeff\u061c\u180e',
];

const REQUIRED = 'This field is required';
const UNREADABLE = 'Please remove characters that can’t be displayed';
const TOO_LONG = 'Please use at most 10 characters';
const WRONG_EMAIL = 'Please enter a valid email address';
const SHORT_PHONE = 'Please enter at least 10 digits for your phone number';

describe('a single-line and a multi-line field', () => {
  test('are trimmed and normalized to NFC', () => {
    for (const field of [line, lines]) {
      expect(parse(field, ' \n Ann \t')).toEqual(ok('Ann'));
      expect(parse(field, 'Jose\u0301')).toEqual(ok('José'));
    }
    expect(parse(lines, 'a\r\nb\rc\nd\te')).toEqual(ok('a\nb\nc\nd\te'));
    expect(parse(lines, 'a\u2028b\u2029c')).toEqual(ok('a\nb\nc'));
    // As PowerPoint and PDF readers copy a line's and a page's end.
    expect(parse(lines, 'a\vb\fc')).toEqual(ok('a\nb\nc'));
  });

  test('are measured after normalizing', () => {
    for (const field of [line, lines]) {
      expect(parse(field, ` ${'x'.repeat(10)} `)).toEqual(ok('x'.repeat(10)));
      expect(parse(field, 'x'.repeat(11))).toBe(TOO_LONG);
      // Decomposed letters: two code units become one, at most four do.
      expect(parse(field, 'e\u0301'.repeat(10))).toEqual(ok('é'.repeat(10)));
      expect(parse(field, '\u03b1\u0313\u0300\u0345'.repeat(10))).toEqual(ok('ᾂ'.repeat(10)));
      expect(parse(field, `${'x'.repeat(10)}${' '.repeat(31)}`)).toBe(TOO_LONG);
      expect(parse(field, `a${'\u0301'.repeat(30)}`)).toBe(TOO_LONG);
    }
    const long = singleLine({ max: 100 });
    const piled = `a${'\u0316'.repeat(30)}`;
    expect(parse(long, piled)).toEqual(ok(piled));
    // Normalizing takes as long as the square of its length.
    const normalize = vi.spyOn(String.prototype, 'normalize');
    expect(parse(long, `${piled}\u0316`)).toBe(UNREADABLE);
    expect(parse(emailField(), `${piled}\u0316@a.example`)).toBe(WRONG_EMAIL);
    expect(normalize).not.toHaveBeenCalled();
  });

  test.each([
    ['a bell', '\u0007'],
    ['a deleted character', '\u007f'],
    ['half a character', '\ud800'],
  ])('refuse %s', (_, character) => {
    expect(parse(line, `a${character}b`)).toBe(UNREADABLE);
    expect(parse(lines, `a${character}b`)).toBe(UNREADABLE);
  });

  test('differ in line breaks and tabs', () => {
    expect(parse(line, 'a\u2028b')).toBe(UNREADABLE);
    for (const character of ['\n', '\t']) {
      expect(parse(line, `a${character}b`)).toBe(UNREADABLE);
      expect(parse(lines, `a${character}b`)).toEqual(ok(`a${character}b`));
    }
  });

  test('differ in invisible characters, which a line loses wherever they were pasted', () => {
    for (const character of INVISIBLE) {
      expect(parse(line, `${character}a${character}b ${character}`)).toEqual(ok('ab'));
      expect(parse(line, `J${character}ose\u0301`)).toEqual(ok('José'));
      expect(parse(lines, `a${character}b`)).toEqual(ok(`a${character}b`));
    }
    expect(parse(singleLine({ min: 2, max: 10 }), '\u3164\u200b\ufeff')).toBe(REQUIRED);
    // Spelled with joiners and selectors: a Persian name, and a family.
    for (const joined of ['مهدی\u200cزاده', '👩\u200d👧', '❤\ufe0f'])
      expect(parse(line, joined)).toEqual(ok(joined));
  });
});

test('an email address has up to 254 characters, none of which could start a mail header', () => {
  const ofLength = (length: number) => `${'a'.repeat(length - '@b.example'.length)}@b.example`;
  for (const email of ['Ann.O+x@lakeside.example', 'łuk@村上.example', ofLength(254)])
    expect(parse(emailField(), ` ${email} `)).toEqual(ok(email));
  for (const email of [
    ofLength(255),
    '',
    'ann',
    'ann@',
    '@b.example',
    'ann@b',
    'ann@b.example.',
    'a@b@c.example',
    5,
  ])
    expect(parse(emailField(), email)).toBe(WRONG_EMAIL);
  for (const character of [' ', '<', ',', '"', '\n'])
    for (const email of [`a${character}n@b.example`, `a@b${character}b.example`])
      expect([email, parse(emailField(), email)]).toEqual([email, WRONG_EMAIL]);
  // The last are the Kelvin sign and the Turkish İ, whole and decomposed, lower case in ASCII.
  for (const character of ['\ud800', '\u212a', '\u0130', 'I\u0307', 'I\u200b\u0307'])
    expect(parse(emailField(), `a${character}@b.example`)).toBe(WRONG_EMAIL);
  for (const character of [...INVISIBLE, '\u200c', '\u200d', '\ufe0f'])
    expect(parse(emailField(), `${character}a${character}@b${character}.example`)).toEqual(
      ok('a@b.example'),
    );
});

test('a search loses what nobody sees, and its lines', () => {
  const pasted = `${INVISIBLE.join('')} Ann\t${INVISIBLE.join('')}Moore\r\n`;
  expect(readSearch(new URLSearchParams({ find: pasted }))).toBe('Ann Moore');
});

test('a person is called by the first name, wherever the company’s directory has it', () => {
  const names = [
    'Dana Whitfield',
    'Smith, Ann (Contractor)',
    'Dr. Ann Moore',
    'Dr. Moore',
    'Ann Moore, MD',
  ];
  expect(names.map(firstName)).toEqual(['Dana', 'Ann', 'Ann', 'Dr. Moore', 'Ann']);
});

test('a phone number has at least 10 digits in any format; an empty one is null', () => {
  for (const phone of ['4045550100', 'tel. +1 (404) 555-0100 ext. 7'])
    expect(parse(phoneField(), phone)).toEqual(ok(phone));
  expect(parse(phoneField(), '\u202a404\u2060 555-0100\u202c')).toEqual(ok('404 555-0100'));
  expect(parse(phoneField(), '（４０４）５５５－０１００')).toEqual(ok('(404)555-0100'));
  for (const none of ['', '  ', '\u200e', null, undefined])
    expect(parse(phoneField(), none)).toEqual(ok(null));
  for (const short of ['404555010', 'none', 5])
    expect(parse(phoneField(), short)).toBe(SHORT_PHONE);
  expect(parse(phoneField(), '4'.repeat(40))).toEqual(ok('4'.repeat(40)));
  expect(parse(phoneField(), '4'.repeat(41))).toBe('Please use at most 40 characters');
});

describe('a form', () => {
  const name = 'staff';

  test('for signing in takes a password of up to 1,000 characters unchanged, and names missing fields', () => {
    for (const password of [' ', 'x'.repeat(1000)])
      expect(parse(credentials, { username: ` ${name} `, password })).toEqual(
        ok({ username: name, password }),
      );
    expect(parse(credentials, { username: name, password: 'x'.repeat(1001) })).toBe(
      'Please use at most 1000 characters',
    );
    for (const password of ['', undefined, 5])
      expect(parse(credentials, { username: name, password })).toBe('Password is required');
    for (const username of ['', ' ', undefined])
      expect(parse(credentials, { username, password: 'x' })).toBe('Username is required');
  });
});
