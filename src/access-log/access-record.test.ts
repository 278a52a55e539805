/** What is kept of a request that a stranger has made up, and what is made of its kind. */
import { expect, test } from 'vitest';
import { request } from '../../tests/support/access-records.ts';
import { cleanRecord, withoutSecrets } from './access-record.server.ts';
import { deviceClass, durationClass, percentile } from './request-classes.ts';

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

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
  ['curl/8.5.0', 'bot'],
  ['ia_archiver', 'bot'],
  ['Mozilla/5.0 (Linux; Android 10; CUBOT_X18_Plus) Mobile Safari/537.36', 'phone'],
  ['Mozilla/5.0 (iPad; CPU OS 18_4 like Mac OS X) Mobile/15E148', 'tablet'],
  ['Mozilla/5.0 (Linux; Android 15; SM-X710) Chrome/136.0 Safari/537.36', 'tablet'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/136.0 Mobile Safari/537.36', 'phone'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Mobile/15E148', 'phone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 'desktop'],
  ['Mozilla/5.0 (X11; CrOS x86_64 16181.61.0) Chrome/136.0', 'desktop'],
  ['', 'unknown'],
])('%j is a %s', (agent, device) => {
  expect(deviceClass(agent)).toBe(device);
});

test('a percentile is within 2 % of the time that was taken, from a microsecond to a minute', () => {
  for (const microseconds of [1, 100, 1500, 60_000_000]) {
    const told = percentile(new Map([[durationClass(microseconds), 3]]), 0.5);
    expect(Math.abs(told - microseconds) / microseconds).toBeLessThan(0.021);
  }
  expect(durationClass(0)).toBe(durationClass(1));
  expect(percentile(new Map(), 0.5)).toBe(0);
});
