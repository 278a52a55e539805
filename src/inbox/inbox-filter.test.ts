/** What the inbox is narrowed down to stands in its address, where anybody may write. */
import { expect, test } from 'vitest';
import { type InboxFilter, isNarrowed, readFilter, writeFilter } from './inbox.ts';

const read = (query: string) => readFilter(new URLSearchParams(query));
const WHOLE: InboxFilter = { words: '', service: '', mark: '', page: 1 };

test.each<[string, Partial<InboxFilter>]>([
  ['find=C-42', { words: 'C-42' }],
  ['service=voip', { service: 'voip' }],
  ['service=none', { service: 'none' }],
  ['mark=answered', { mark: 'answered' }],
  ['page=2', { page: 2 }],
  ['page=999999', { page: 999_999 }],
])('%s narrows the list, and stands in the address again', (query, narrowed) => {
  const filter = { ...WHOLE, ...narrowed };
  expect(read(query)).toEqual(filter);
  expect(isNarrowed(filter)).toBe(true);
  expect(String(writeFilter(filter))).toBe(query);
});

test.each([
  '',
  'find=',
  'find=%00%07',
  'service=VOIP!',
  `service=${'a'.repeat(41)}`,
  'mark=lost',
  'page=0',
  'page=-1',
  'page=1.5',
  'page=01',
  'page=1000000',
  'page=two',
])('%j narrows nothing, and does not stand in the address again', (query) => {
  expect(read(query)).toEqual(WHOLE);
  expect(isNarrowed(WHOLE)).toBe(false);
  expect(String(writeFilter(WHOLE))).toBe('');
});

test('what is searched for is one line of up to 200 characters, in which no character is broken', () => {
  expect(read('find=%20Ann%0A%00Moore%09').words).toBe('Ann Moore');
  expect(read(`find=${'x'.repeat(201)}`).words).toBe('x'.repeat(200));
  expect(read(`find=${'x'.repeat(199)}😀`).words).toBe(`${'x'.repeat(199)}\uFFFD`);
});
