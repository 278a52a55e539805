/** What an owner dates ahead stays unread until its day, and is then everywhere at once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { contentWith } from '../../tests/support/content-folder.ts';
import { startTestApp } from '../../tests/support/test-app.ts';
import { readContent } from '../content.server.ts';
import { datedAhead } from './published.server.ts';

/** Days of the company, in the zone of Georgia. */
const EVE = Date.parse('2030-01-04T04:59:00Z');
const DAY = Date.parse('2030-01-04T05:01:00Z');
const TERMS = 'pages/terms-of-service.md';

function contentDatedAhead(): string {
  const folder = contentWith({});
  const write = (file: string, from: string, change: (text: string) => string) =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, from), 'utf8')));
  write('news/data-fencing.md', 'news/data-fencing.md', (text) =>
    text.replace(/^(date|reviewed): .*$/gm, '$1: 2030-01-04'),
  );
  write('news/outsourcing-it.md', 'news/outsourcing-it.md', (text) =>
    text.replace(/^reviewed: .*$/m, 'reviewed: 2030-01-04'),
  );
  write('pages/careers.md', TERMS, (text) => text.replace(/^updated: .*$/m, 'updated: 2030-01-04'));
  write('pages/terms-of-service.next.md', TERMS, (text) =>
    text
      .replace(/^updated: .*$/m, 'updated: 2030-01-04')
      .replace('\n\n', '\n\nNew from January.\n\n'),
  );
  return folder;
}

test('an article, a page and new terms appear on their day on the site, in the feed and for crawlers', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: EVE });
  onTestFinished(() => void vi.useRealTimers());
  const folder = contentDatedAhead();
  expect(datedAhead(readContent(folder), '2030-01-03')).toEqual([
    { path: '/news/data-fencing', date: '2030-01-04' },
    { path: '/careers', date: '2030-01-04' },
    { path: '/terms-of-service', date: '2030-01-04' },
  ]);
  const app = await startTestApp({}, folder);
  onTestFinished(() => app.stop());
  const shown = async () => ({
    pages: await Promise.all(
      ['/news/data-fencing', '/careers'].map(
        async (path) => (await app.visitor().get(path)).status,
      ),
    ),
    terms: (await app.visitor().get('/terms-of-service')).text.includes('New from January.'),
    named: await Promise.all(
      ['/', '/news', '/resources/', '/news/rss.xml', '/sitemap.xml'].map(async (path) =>
        (await app.visitor().get(path)).text.includes('/news/data-fencing'),
      ),
    ),
    future: (await app.visitor().get('/sitemap.xml')).text.includes('2030'),
  });
  expect(await shown()).toEqual({
    pages: [404, 404],
    terms: false,
    named: [false, false, false, false, false],
    future: false,
  });
  vi.setSystemTime(DAY);
  expect(await shown()).toEqual({
    pages: [200, 200],
    terms: true,
    named: [true, true, true, true, true],
    future: true,
  });
  const { db } = app.database;
  await app.visitor().post('/api/create-payment-intent', SAMPLE_ORDER);
  expect(await db.selectFrom('termsVersions').select('updated').execute()).toEqual([
    { updated: '2030-01-04' },
  ]);
});

test('terms dated ahead stop the start while no others hold until then', () => {
  const folder = contentWith({});
  const file = join(folder, TERMS);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^updated: .*$/m, 'updated: 2130-01-04'));
  expect(() => readContent(folder)).toThrow('terms-of-service.next.md');
});
