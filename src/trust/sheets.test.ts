/** The sheets agree with what the site says elsewhere, and faults in them stop the start with their place. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { readContent } from '../content.server.ts';

const content = ownContent();
const sheet = (name: string) => {
  const found = content.sheets.find((each) => each.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

test('the ten questions are those that our article tells readers to ask', () => {
  const article = readFileSync('content/news/outsourcing-it.md', 'utf8');
  const [, list = ''] = /## Ten questions before you sign\n\n((?:\d+\. .*\n)+)/.exec(article) ?? [];
  const asked = list
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\d+\. /, ''));
  expect(asked).toHaveLength(10);
  expect(sheet('ten-questions').sections.map(({ heading }) => heading)).toEqual(asked);
});

test('what is made up says so, and what is said of the company does not', () => {
  expect(content.sheets.map(({ name, sample }) => [name, sample !== null])).toEqual([
    ['trust', false],
    ['ten-questions', false],
    ['sample-report', true],
    ['sample-evidence', true],
  ]);
});

test('the company’s facts come from company.json', () => {
  const text = JSON.stringify(sheet('trust'));
  const { legalName, phone, email } = content.company;
  for (const fact of [legalName, phone.display, email]) expect(text).toContain(fact);
  expect(JSON.stringify(content.sheets)).not.toContain('{{');
});

test('the evidence has a document for each element that the check asks about', () => {
  const text = JSON.stringify(sheet('sample-evidence'));
  for (const { id } of content.safeguards.elements) expect(text).toContain(`"314.4(${id})`);
});

test('the tickets of the sample report add up', () => {
  const { blocks } = sheet('sample-report').sections[1] ?? { blocks: [] };
  const opened = blocks.flatMap((block) =>
    block.kind === 'table' ? block.rows.map(([, count]) => Number(count)) : [],
  );
  expect(opened.reduce((sum, each) => sum + each, 0)).toBe(46);
});

describe('a fault', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'site-content-'));
    cpSync('content', folder, { recursive: true, dereference: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function edit(file: string, from: string, to: string): void {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
  }

  test('in a sheet or in the check is told with file and field, all at once', () => {
    edit('trust/trust.json', '"Cyber liability", ', '');
    edit('trust/trust.json', '{{legalName}}', '{{owner}}');
    edit('trust/ten-questions.json', '"/trust#insurance"', '"javascript:alert(1)"');
    edit('safeguards/check.json', '"plans": [1, 2, 3]', '"plans": [1, 2, 9]');
    edit('safeguards/check.json', '"id": "mfa"', '"id": "access"');
    edit('safeguards/check.json', '"element": "j"', '"element": "k"');
    edit('safeguards/check.json', '"id": "b",', '"id": "a",');
    let told = '';
    try {
      readContent(folder);
    } catch (error) {
      told = String(error);
    }
    for (const fault of [
      'trust/trust.json: sections[2]: a row has more or fewer cells than there are columns',
      'trust/trust.json: there is no placeholder {{owner}}',
      'trust/ten-questions.json: sections[8].blocks[1].links[0].href: expected an address',
      'safeguards/check.json: elements: c: there is no plan 9',
      'safeguards/check.json: questions: the id access is used twice',
      'safeguards/check.json: questions: notice: there is no element k',
      'safeguards/check.json: elements: the id a is used twice',
      'safeguards/check.json: elements: no question is about j',
    ])
      expect(told).toContain(fault);
  });
});
