/** The documents of content/trust agree with the rest of the site. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';

const content = ownContent();
const sheet = (name: string) => {
  const found = content.sheets.find((each) => each.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

test('the ten questions are those of our article on outsourcing', () => {
  const article = readFileSync('content/news/outsourcing-it.md', 'utf8');
  const [, list = ''] = /## Ten questions before you sign\n\n((?:\d+\. .*\n)+)/.exec(article) ?? [];
  const questions = list
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\d+\. /, ''));
  expect(questions).toHaveLength(10);
  expect(sheet('ten-questions').sections.map(({ heading }) => heading)).toEqual(questions);
});

test('the two samples, and only they, are marked as made up', () => {
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

test('the sample evidence has a document for each element of the Safeguards check', () => {
  const text = JSON.stringify(sheet('sample-evidence'));
  for (const { id } of content.safeguards.elements) expect(text).toContain(`"314.4(${id})`);
});
