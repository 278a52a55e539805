/** The sheets agree with what the site says elsewhere. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';

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
