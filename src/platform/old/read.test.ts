/** What comes from outside and makes no sense is no such thing; what a screen can do without is left out. */
import { describe, expect, test } from 'vitest';
import { dollars } from '../money.ts';
import { richText } from '../rich-text.ts';
import { fields, flag, id, list, nullable, number, record, text, time } from './read.ts';

const NOTHINGS = [undefined, null];
const OBJECTS = [{}, { length: 0 }, { a: 'b' }];
const LISTS = [[], [5], ['x']];
const NUMBERS = [5, 0.5];

test.each([
  ['a text', text, ['', 'Ann'], [...NOTHINGS, ...NUMBERS, true, ...OBJECTS, ...LISTS]],
  ['a number', number, [0, -1.5, 7], [...NOTHINGS, '7', true, 1 / 0, 0 / 0, ...OBJECTS, ...LISTS]],
  ['a flag', flag, [true, false], [...NOTHINGS, 0, 1, 'true', ...OBJECTS, ...LISTS]],
  ['a time', time, ['2026-05-13', '2026-05-13T14:05:00.000Z'], [...NOTHINGS, 5, '', 'soon']],
  ['the number of a row', id, [1, 2 ** 31], [...NOTHINGS, 0, -1, 1.5, '1', 1 / 0, [1]]],
] as const)('%s is known from what is none', (_, read, good, bad) => {
  expect(good.map((each) => read(each))).toEqual(good);
  for (const each of bad) expect([each, read(each)]).toEqual([each, undefined]);
});

test('an amount is known from what is none', () => {
  expect([0, 0.01, 450, 1e9].map(dollars)).toEqual([0, 1, 450_00, 1e11]);
  for (const none of [...NOTHINGS, -0.01, 1e9 + 1, 1 / 0, '5', [5]])
    expect(dollars(none)).toBeUndefined();
});

test('an amount is shown in whole cents, however a database has kept it', () => {
  expect([12.500001, 0.1 + 0.2, 19.999].map(dollars)).toEqual([1250, 30, 2000]);
});

test('what may be absent is absent only where the answer says so', () => {
  expect([null, 'Ann', 5, undefined].map(nullable(text))).toEqual([
    null,
    'Ann',
    undefined,
    undefined,
  ]);
});

describe('a row that makes no sense', () => {
  test('is left out of its list, and the others are shown', () => {
    expect(list(text)(['Ann', 5, null, 'Bo'])).toEqual(['Ann', 'Bo']);
    expect(list(text)([])).toEqual([]);
  });

  test('makes no list when there is no other, as an object makes none', () => {
    for (const value of [[5], [null, {}], ...NOTHINGS, ...OBJECTS, 'Ann', 5])
      expect(list(text)(value)).toBe(undefined);
  });

  test('is left out of what is known by name', () => {
    expect(record(number)({ paid: 2, failed: 'many' })).toEqual({ paid: 2 });
    for (const value of [...NOTHINGS, ...LISTS, 'Ann', 5])
      expect(record(number)(value)).toBe(undefined);
  });

  test('is one that lacks a field; fields that nobody knows are left out', () => {
    const read = fields<{ name: string; phone: string | null }>({
      name: text,
      phone: nullable(text),
    });
    expect(read({ name: 'Ann', phone: null, more: 5 })).toEqual({ name: 'Ann', phone: null });
    for (const value of [{ name: 'Ann' }, { phone: null }, ...NOTHINGS, ...LISTS, 'Ann', 5])
      expect(read(value)).toBe(undefined);
  });
});

describe('text with structure', () => {
  const WHOLE = [
    { kind: 'heading', level: 2, id: 'a', content: ['A'] },
    { kind: 'heading', level: 3, id: 'b', content: [{ kind: 'code', text: 'B' }] },
    { kind: 'heading', level: 4, id: 'c', content: ['C'] },
    {
      kind: 'paragraph',
      content: [
        'Words ',
        { kind: 'emphasis', content: ['softly'] },
        { kind: 'strong', content: [{ kind: 'emphasis', content: ['and loudly'] }] },
        { kind: 'link', href: '/news', content: ['on'] },
      ],
    },
    {
      kind: 'list',
      ordered: true,
      start: 3,
      items: [[{ kind: 'paragraph', content: ['third'] }]],
    },
    { kind: 'quote', content: [{ kind: 'code', text: 'ls -l' }] },
    { kind: 'code', text: 'rm' },
  ];

  test('is read with every kind of part', () => {
    expect(richText.parse(WHOLE)).toEqual(WHOLE);
  });

  test('loses no more than the part that makes no sense', () => {
    const wrong = [
      { kind: 'heading', level: 1, id: 'a', content: ['A'] },
      { kind: 'script', text: 'alert()' },
      { kind: 'list', ordered: 'yes', start: 1, items: [] },
      { kind: 'paragraph', content: [{ kind: 'link', content: ['nowhere'] }] },
    ];
    expect(richText.parse([...wrong, ...WHOLE, 5, null])).toEqual(WHOLE);
  });
});
