/** Faults in content/ stop the start, and are told all at once with file and field. */
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readContent } from './content.server.ts';

describe('content/', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'site-content-'));
    cpSync('content', folder, { recursive: true, dereference: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function edit(file: string, change: (text: string) => string): void {
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(path, after);
  }

  test('as shipped holds the nine articles, the newest first, and the three legal pages', () => {
    const { articles, legal } = readContent(folder);
    expect(articles.map(({ slug, date }) => `${date} ${slug}`)).toEqual([
      '2025-05-01 data-fencing',
      '2025-04-24 small-businesses-beware',
      '2025-04-17 outsourcing-it',
      '2025-04-10 mobile-device-management',
      '2025-04-03 active-directory',
      '2025-03-27 stay-ahead-phishers',
      '2025-03-20 windows-defender-update',
      '2025-03-14 ftc-safeguards-rule',
      '2025-03-08 teams-phone-system',
    ]);
    expect(legal.map(({ name, updated }) => `${name} ${updated}`)).toEqual([
      'privacy-policy 2025-05-13',
      'terms-of-service 2025-05-13',
      'security-policy 2025-05-13',
    ]);
    for (const { readingMinutes } of articles) expect(readingMinutes).toBeGreaterThanOrEqual(2);
  });

  test('tells every fault at once, each with its file and field', () => {
    edit('news/data-fencing.md', (text) => text.replace('date: 2025-05-01', 'date: May 1'));
    edit('news/active-directory.md', (text) => text.replace('topic: Operations', 'topic: Gossip'));
    edit('news/outsourcing-it.md', (text) => text.replace('id: 3', 'id: 2'));
    edit('news/teams-phone-system.md', (text) =>
      text.replace(/^image: .*$/m, 'image: /pictures/none.jpg'),
    );
    edit('news/stay-ahead-phishers.md', (text) => `${text}\n<marquee>look</marquee>\n`);
    edit('legal/privacy-policy.md', (text) => text.replace('{{legalName}}', '{{owner}}'));
    edit('legal/terms-of-service.md', (text) => text.replace(/^title: .*$/m, ''));
    edit('legal/security-policy.md', (text) => text.replace('---\n', '***\n'));
    const told = faultsOf(folder);
    expect(told).toContain('news/data-fencing.md: date: Invalid ISO date');
    expect(told).toMatch(/news\/active-directory\.md: topic: .*"Security"/);
    expect(told).toContain(
      'news/small-businesses-beware.md: id: 2 is the id of news/outsourcing-it.md too',
    );
    expect(told).toContain(
      'news/teams-phone-system.md: image: there is no file /pictures/none.jpg under content/',
    );
    expect(told).toMatch(/news\/stay-ahead-phishers\.md: line \d+: raw HTML cannot stand here/);
    expect(told).toContain('legal/privacy-policy.md: line 7: there is no placeholder {{owner}}');
    expect(told).toMatch(/legal\/terms-of-service\.md: title: .*expected string/);
    expect(told).toContain(
      'legal/security-policy.md: expected front matter between two lines of ---',
    );
  });

  test('wants each legal page, and an address that can be typed for each article', () => {
    rmSync(join(folder, 'legal/privacy-policy.md'));
    writeFileSync(join(folder, 'legal/imprint.md'), 'nobody sees this');
    renameSync(join(folder, 'news/data-fencing.md'), join(folder, 'news/Data fencing.md'));
    const told = faultsOf(folder);
    expect(told).toMatch(/legal\/privacy-policy\.md: .*no such file/);
    expect(told).toContain('legal/imprint.md: no page of the site shows this file');
    expect(told).toContain('news/Data fencing.md: a file name is a-z, 0-9 and single hyphens');
  });

  test('blames a broken company.json alone, not the texts that name the company', () => {
    edit('company.json', (text) => text.replace('"email"', '"mail"'));
    const told = faultsOf(folder);
    expect(told).toContain('company.json: email');
    expect(told).not.toContain('placeholder');
  });
});

function faultsOf(folder: string): string {
  try {
    readContent(folder);
  } catch (error) {
    return String(error);
  }
  throw new Error('the content was taken as valid');
}
