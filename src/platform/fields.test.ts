/** What people type into forms: what is taken, as it is kept, and what is said of the rest. */
import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { contactMessage, errorsByField } from '../contact/contact.ts';
import { credentials } from '../staff/staff-api.ts';
import { emailField, multiLine, phoneField, singleLine } from './fields.ts';

const line = singleLine({ max: 10 });
const lines = multiLine({ max: 10 });

/** What is kept, or what is said. */
function take(schema: z.ZodMiniType, value: unknown): unknown {
  const { success, data, error } = schema.safeParse(value);
  return success ? { kept: data } : error.issues[0]?.message;
}
const kept = (value: unknown) => ({ kept: value });

const UNREADABLE = 'Please remove characters that can’t be displayed';
const TOO_LONG = 'Please use at most 10 characters';
const WRONG_EMAIL = 'Please enter a valid email address';
const SHORT_PHONE = 'Please enter at least 10 digits for your phone number';

describe('a line and a text', () => {
  test('are kept without the space around them, in one spelling', () => {
    for (const field of [line, lines]) {
      expect(take(field, ' \n Ann \t')).toEqual(kept('Ann'));
      expect(take(field, 'Jose\u0301')).toEqual(kept('José'));
    }
    expect(take(lines, 'a\r\nb\rc\nd\te')).toEqual(kept('a\nb\nc\nd\te'));
  });

  test('have so many characters as they are kept', () => {
    for (const field of [line, lines]) {
      expect(take(field, ` ${'x'.repeat(10)} `)).toEqual(kept('x'.repeat(10)));
      expect(take(field, 'x'.repeat(11))).toBe(TOO_LONG);
      // Typed in parts: an accented letter in two, the longest in four.
      expect(take(field, 'e\u0301'.repeat(10))).toEqual(kept('é'.repeat(10)));
      expect(take(field, '\u03b1\u0313\u0300\u0345'.repeat(10))).toEqual(kept('ᾂ'.repeat(10)));
      expect(take(field, `${'x'.repeat(10)}${' '.repeat(31)}`)).toBe(TOO_LONG);
      expect(take(field, `a${'\u0301'.repeat(30)}`)).toBe(TOO_LONG);
    }
    const long = singleLine({ max: 100 });
    const piled = `a${'\u0316'.repeat(30)}`;
    expect(take(long, piled)).toEqual(kept(piled));
    expect(take(long, `${piled}\u0316`)).toBe(UNREADABLE);
  });

  test.each([
    ['a bell', '\u0007'],
    ['a deleted character', '\u007f'],
    ['half a character', '\ud800'],
  ])('hold no %s', (_, character) => {
    expect(take(line, `a${character}b`)).toBe(UNREADABLE);
    expect(take(lines, `a${character}b`)).toBe(UNREADABLE);
  });

  test('differ in what else they hold', () => {
    for (const character of ['\n', '\t', '\u202e', '\u2066']) {
      expect(take(line, `a${character}b`)).toBe(UNREADABLE);
      expect(take(lines, `a${character}b`)).toEqual(kept(`a${character}b`));
    }
  });
});

test('an address is kept as it was given, in up to 254 characters', () => {
  const ofLength = (length: number) => `${'a'.repeat(length - '@b.example'.length)}@b.example`;
  for (const email of ['Ann.O+x@lakeside.example', 'łuk@村上.example', ofLength(254)])
    expect(take(emailField(), ` ${email} `)).toEqual(kept(email));
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
    expect(take(emailField(), email)).toBe(WRONG_EMAIL);
  for (const character of [' ', '<', ',', '"', '\n'])
    for (const email of [`a${character}n@b.example`, `a@b${character}b.example`])
      expect([email, take(emailField(), email)]).toEqual([email, WRONG_EMAIL]);
  for (const character of ['\u202e', '\ud800', '\u200b'])
    expect(take(emailField(), `a${character}@b.example`)).toBe(WRONG_EMAIL);
});

test('a phone number has 10 digits in any format, or is none', () => {
  for (const phone of ['4045550100', 'tel. +1 (404) 555-0100 ext. 7'])
    expect(take(phoneField(), phone)).toEqual(kept(phone));
  for (const none of ['', '  ', null, undefined])
    expect(take(phoneField(), none)).toEqual(kept(null));
  for (const short of ['404555010', 'none', 5]) expect(take(phoneField(), short)).toBe(SHORT_PHONE);
  expect(take(phoneField(), '4'.repeat(40))).toEqual(kept('4'.repeat(40)));
  expect(take(phoneField(), '4'.repeat(41))).toBe('Please use at most 40 characters');
});

describe('a form', () => {
  const name = 'staff';

  test('of sign-in takes a password of up to 1,000 characters as it is, and says what is missing', () => {
    for (const password of [' ', 'x'.repeat(1000)])
      expect(take(credentials, { username: ` ${name} `, password })).toEqual(
        kept({ username: name, password }),
      );
    expect(take(credentials, { username: name, password: 'x'.repeat(1001) })).toBe(
      'Please use at most 1000 characters',
    );
    for (const password of ['', undefined, 5])
      expect(take(credentials, { username: name, password })).toBe('Password is required');
    for (const username of ['', ' ', undefined])
      expect(take(credentials, { username, password: 'x' })).toBe('Username is required');
  });

  test('shows the first complaint at each of its fields, and no other', () => {
    const { error } = contactMessage.safeParse({ name: '\u0007', email: '', phone: '1', more: 5 });
    const errors = (error?.issues ?? []).map(({ path, message }) => ({
      path: path.join('.'),
      message,
    }));
    expect(errorsByField(errors)).toEqual({
      name: 'Name must be at least 2 characters',
      email: WRONG_EMAIL,
      phone: SHORT_PHONE,
      message: 'Message must be at least 10 characters',
    });
    expect(errorsByField([])).toEqual({});
  });
});
