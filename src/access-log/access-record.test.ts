/** What is kept of a request that a stranger has made up. */
import { expect, test } from 'vitest';
import { request } from '../../tests/support/access-records.ts';
import { cleanRecord, withoutSecrets } from './access-record.server.ts';

test.each([
  ['/', '/'],
  ['/news#top', '/news'],
  ['/news#token=abc', '/news'],
  ['/?plan=2#token=abc', '/?plan=2'],
  ['https://ann:abc@site.example/a', 'https://site.example/a'],
  ['//ann:abc@site.example/a', '//site.example/a'],
  ['https://site.example/@ann', 'https://site.example/@ann'],
  ['/?a?token=abc', '/?a?token=REMOVED'],
  ['/?a=1&b&token=a=b=c&d=', '/?a=1&b&token=REMOVED&d='],
  ['/?code=abc&zipcode=30303', '/?code=REMOVED&zipcode=30303'],
  ['/?a=sk_live_abc&b=task_1', '/?a=REMOVED&b=task_1'],
  ['/?next=%252F%253Fkey%253Dabc', '/?next=REMOVED'],
  ['/?next=%2Fnews%3Fplan%3D2', '/?next=%2Fnews%3Fplan%3D2'],
  ['/?broken=%zz&key=%zz', '/?broken=%zz&key=REMOVED'],
  ['/quote/./abc', '/quote/REMOVED'],
  ['/quote%2Fabc', '/quote/REMOVED'],
  ['/x/%2e%2e/QUOTE/abc', '/QUOTE/REMOVED'],
  ['https://site.example/a/../%2571uote/abc', 'https://site.example/quote/REMOVED'],
  ['/\\quote\\abc', '//quote/REMOVED'],
  ['/%71uote/abc%', '/quote/REMOVED'],
  ['/?t%6Fken=abc%&a=1', '/?t%6Fken=REMOVED&a=1'],
])('of %s stays %s', (url, kept) => {
  expect(withoutSecrets(url)).toBe(kept);
});

test('what is not printable is kept byte by byte', () => {
  const { url, userAgent } = cleanRecord(request(0, { url: '/村\n', userAgent: 'ü\u0000' }));
  expect([url, userAgent]).toEqual(['/\\xE6\\x9D\\x91\\x0A', '\\xFC\\x00']);
});

test('an address of the site, a referrer and an agent are kept up to their lengths', () => {
  const long = 'x'.repeat(2_000);
  const record = request(0, { url: `/${long}`, referrer: long, userAgent: long });
  const { url, referrer, userAgent } = cleanRecord(record);
  expect([url.length, referrer.length, userAgent.length]).toEqual([1000, 500, 400]);
  expect(cleanRecord(request(0, { ip: '1.2.3' })).ip).toBe('');
});
