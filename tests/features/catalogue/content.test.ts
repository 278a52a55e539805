/** Whoever edits the content is told the file and the field that are wrong, before a visitor sees them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readContent } from '../../../src/content.server.ts';
import { CannotStart } from '../../../src/platform/config/cannot-start.server.ts';
import { ownContentFolder, type Row } from '../../support/content-folder.ts';

const content = ownContentFolder();

function faults(): string[] {
  try {
    readContent(content.folder());
    return [];
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.replace('  - ', ''));
  }
}

test('what is shipped is valid', () => {
  expect(faults()).toEqual([]);
});

test.each<[string, string, number, Row]>([
  [
    'catalogue/plans.json: [0].price: Invalid input: expected number, received string',
    'catalogue/plans.json',
    0,
    { price: '450' },
  ],
  [
    'catalogue/plans.json: [0].price: whole cents only',
    'catalogue/plans.json',
    0,
    { price: 450.001 },
  ],
  ['catalogue/plans.json: [1].price: ', 'catalogue/plans.json', 1, { price: -1 }],
  ['catalogue/plans.json: [2].features: ', 'catalogue/plans.json', 2, { features: [] }],
  ['catalogue/plans.json: [2].features[1]: ', 'catalogue/plans.json', 2, { features: ['a', ''] }],
  [
    'catalogue/plans.json: [0]: Unrecognized key: "colour"',
    'catalogue/plans.json',
    0,
    { colour: 'red' },
  ],
  ['catalogue/services.json: [3].name: ', 'catalogue/services.json', 3, { name: '' }],
  ['catalogue/services.json: [3].id: ', 'catalogue/services.json', 3, { id: 0 }],
  [
    'catalogue/services.json: [2].image: there is no file /pictures/gone.jpg under content/',
    'catalogue/services.json',
    2,
    { image: '/pictures/gone.jpg' },
  ],
  [
    'catalogue/solutions.json: [0].image: there is no file /../package.json under content/',
    'catalogue/solutions.json',
    0,
    { image: '/../package.json' },
  ],
  ['slides.json: [0].', 'slides.json', 0, { alt: 5 }],
])('a fault is told with its place: %s', (message, file, index, change) => {
  content.bend(file, index, change);
  expect(faults()).toEqual([expect.stringContaining(message)]);
});

const COMPARISON = 'catalogue/comparison.json';
const QUESTIONS = 'catalogue/questions.json';

test.each<[string, string, string, string]>([
  [
    `${COMPARISON}: groups[1].rows[0].plans: plan 3 is missing`,
    COMPARISON,
    ', "3": "About 50 users"',
    '',
  ],
  [
    `${COMPARISON}: groups[1].rows[0].plans.4: there is no such plan`,
    COMPARISON,
    '"3": "About 50 users"',
    '"3": "About 50 users", "4": true',
  ],
  [`${COMPARISON}: groups[1].rows[0].plans.3: `, COMPARISON, '"About 50 users"', '50'],
  [`${COMPARISON}: groups[1].rows[0].plans.3: `, COMPARISON, '"About 50 users"', '""'],
  [`${COMPARISON}: groups[1].rows[0].label: `, COMPARISON, '"Sized for"', '""'],
  [`${COMPARISON}: groups[0].title: `, COMPARISON, '"In every plan"', '""'],
  [`${COMPARISON}: caption: `, COMPARISON, '"caption": "What', '"caption": null, "x": "What'],
  [`${QUESTIONS}: [1].question: `, QUESTIONS, '"Are taxes included?"', '""'],
  [
    `${QUESTIONS}: [1]: Unrecognized key: "a"`,
    QUESTIONS,
    '"question": "Are',
    '"a": 1, "question": "Are',
  ],
  [
    `${QUESTIONS}: [4].answer[0]: there is no placeholder {{opens}}`,
    QUESTIONS,
    '{{hours}}',
    '{{opens}}',
  ],
  [
    `${QUESTIONS}: [1].question: there is no placeholder {{who}}`,
    QUESTIONS,
    'Are taxes',
    '{{who}} taxes',
  ],
])('what is wrong about the prices is told with its place: %s', (message, file, words, others) => {
  const path = content.path(file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(words);
  writeFileSync(path, text.replace(words, others));
  expect(faults()).toContainEqual(expect.stringContaining(message));
});

test.each([
  [COMPARISON, { caption: 'Nothing', groups: [] }, 'groups'],
  [COMPARISON, { caption: 'Nothing', groups: [{ title: 'None', rows: [] }] }, 'groups[0].rows'],
  [QUESTIONS, [], 'the whole file'],
  [QUESTIONS, [{ question: 'Why?', answer: [] }], '[0].answer'],
  [QUESTIONS, [{ question: 'Why?', answer: [''] }], '[0].answer[0]'],
])('%s is not to be empty anywhere: %j', (file, emptied, place) => {
  writeFileSync(content.path(file), JSON.stringify(emptied));
  expect(faults()).toEqual([expect.stringContaining(`${file}: ${place}: Too small`)]);
});

test('the shortest comparison and the shortest answers are enough', () => {
  const rows = [{ label: 'L', plans: { 1: 'a', 2: true, 3: false } }];
  const groups = [{ title: 'T', rows }];
  writeFileSync(content.path(COMPARISON), JSON.stringify({ caption: 'C', groups }));
  writeFileSync(content.path(QUESTIONS), JSON.stringify([{ question: '?', answer: ['!'] }]));
  expect(faults()).toEqual([]);
});

test('a plan with the number of another is told, and that the comparison knows another one', () => {
  content.bend('catalogue/plans.json', 1, { id: 1 });
  expect(faults()).toEqual(
    expect.arrayContaining([
      `${COMPARISON}: groups[0].rows[0].plans.2: there is no such plan`,
      'catalogue/plans.json: [1].id: 1 is taken by an earlier row',
    ]),
  );
});

test('a broken and a missing file are told together with all else', () => {
  writeFileSync(content.path('company.json'), '{"name": "Half');
  rmSync(content.path('slides.json'));
  content.bend('catalogue/plans.json', 0, { price: null });
  expect(faults()).toEqual([
    expect.stringMatching(/^company\.json: /),
    expect.stringMatching(/^slides\.json: .*ENOENT/),
    expect.stringMatching(/^catalogue\/plans\.json: \[0\]\.price: /),
  ]);
});

test('an add-on without a price that holds today is told', () => {
  const path = content.path('catalogue/add-ons.json');
  const addOns = JSON.parse(readFileSync(path, 'utf8'));
  for (const row of addOns.microsoft365) row.from = '2999-01-01';
  writeFileSync(path, JSON.stringify(addOns));
  expect(faults()).toEqual([
    expect.stringMatching(/^catalogue\/add-ons\.json: no price for business_standard holds on/),
  ]);
});
