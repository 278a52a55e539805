import { expect, test } from 'vitest';
import { request } from '../../tests/support/access-records.ts';
import { cleanRecord, withoutSecrets } from './access-record.server.ts';

test.each([
  ['/news#token=abc', '/news'],
  ['https://ann:abc@site.example/a', 'https://site.example/a'],
  ['//ann:abc@site.example/a', '//site.example/a'],
  ['/?plan=2&b&find=abc&cloud_backup=true&microsoft365=none', '/?plan=2&cloud_backup=true'],
  ['/?utm_source=ann&v=ann&tab=ann&service=ann&status=ann&list=ann&mark=ann&state=ann', '/'],
  ['/?plan=ann&microsoft365=ann&ms365_users=ann&cloud_backup=ann&open=ann&page=ann', '/'],
  ['/?plan=4045550100&plan=2%0A&plan=3', '/?plan=3'],
  ['https://site.example/@ann', 'https://site.example/@ann'],
  ['/a/ann@site.example/b', '/a/REMOVED/b'],
  ['/unsubscribe/ann%40site.example', '/unsubscribe/REMOVED'],
  ['/ann%2540site.example//b', '/REMOVED//b'],
  ['/?a=abc&?plan=2', '/'],
  ['/?pl%61n=2&%zz=abc%', '/?plan=2'],
  ['/quote/./abc', '/quote/REMOVED'],
  ['/quote%2Fabc', '/quote/REMOVED'],
  ['/%2571uote/abc', '/quote/REMOVED'],
  ['/x/%2e%2e/QUOTE/abc', '/x/../QUOTE/REMOVED'],
  ['https://ann@site.example/a/../%71uote/abc%', 'https://site.example/a/../quote/REMOVED'],
  ['/\\quote\\abc', '/\\quote\\REMOVED'],
])('the URL %s is recorded as %s', (url, kept) => {
  expect(withoutSecrets(url)).toBe(kept);
});

test('unprintable characters are recorded as escaped bytes', () => {
  const { url, userAgent } = cleanRecord(request(0, { url: '/村\n', userAgent: 'ü\u0000' }));
  expect([url, userAgent]).toEqual(['/\\xE6\\x9D\\x91\\x0A', '\\xFC\\x00']);
});

test('an email address in a user agent is left out', () => {
  const userAgent = 'Crawler/1.0 (+https://bot.example/ann@site.example; ann%40site.example)';
  const kept = 'Crawler/1.0 (+https://bot.example/REMOVED; REMOVED)';
  expect(cleanRecord(request(0, { userAgent })).userAgent).toBe(kept);
});

test('URL, referrer and user agent are truncated, and an invalid IP address is dropped', () => {
  const long = 'x'.repeat(2_000);
  const record = request(0, { url: `/${long}`, referrer: long, userAgent: long });
  const { url, referrer, userAgent } = cleanRecord(record);
  expect([url.length, referrer.length, userAgent.length]).toEqual([1000, 500, 400]);
  expect(cleanRecord(request(0, { ip: '1.2.3' })).ip).toBe('');
});
