/** Whoever edits the content is told the file and the field that are wrong, before a visitor sees them. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readContent } from '../../../src/content.server.ts';
import { InvalidContent } from '../../../src/platform/content-file.server.ts';
import { readHtml } from '../../support/page-html.ts';
import { startTestApp } from '../../support/test-app.ts';

const SERVICES = 'catalogue/services.json';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-content-'));
  cpSync('content', folder, { recursive: true, filter: (path) => path !== 'content/pictures' });
  symlinkSync(join(process.cwd(), 'content/pictures'), join(folder, 'pictures'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

type Row = Record<string, unknown>;

/** Rewrites one row of a list. */
function bend(file: string, index: number, change: Row): void {
  const path = join(folder, file);
  const rows: Row[] = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(
    path,
    JSON.stringify(rows.map((row, i) => (i === index ? { ...row, ...change } : row))),
  );
}

function faults(): string[] {
  try {
    readContent(folder);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidContent)) throw error;
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
  [`${SERVICES}: [1].priced: `, SERVICES, 1, { priced: '{{plans:X}}' }],
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
  bend(file, index, change);
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
  const path = join(folder, file);
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
])('%s is not to be empty anywhere: %j', (file, content, place) => {
  writeFileSync(join(folder, file), JSON.stringify(content));
  expect(faults()).toEqual([expect.stringContaining(`${file}: ${place}: Too small`)]);
});

test('the shortest comparison and the shortest answers are enough', () => {
  const rows = [{ label: 'L', plans: { 1: 'a', 2: true, 3: false } }];
  const groups = [{ title: 'T', rows }];
  writeFileSync(join(folder, COMPARISON), JSON.stringify({ caption: 'C', groups }));
  writeFileSync(join(folder, QUESTIONS), JSON.stringify([{ question: '?', answer: ['!'] }]));
  // What the services say of their prices names rows that are gone with it.
  expect(faults().filter((fault) => !fault.includes('.priced: '))).toEqual([]);
});

test('a plan with the number of another is told, and that the comparison knows another one', () => {
  bend('catalogue/plans.json', 1, { id: 1 });
  const [first = '', ...others] = faults();
  expect(first).toBe(`${COMPARISON}: groups[0].rows[0].plans.2: there is no such plan`);
  expect(others.at(-1)).toBe('catalogue/plans.json: [1].id: 1 is taken by an earlier row');
});

test('a broken and a missing file are told together with all else', () => {
  writeFileSync(join(folder, 'company.json'), '{"name": "Half');
  rmSync(join(folder, 'slides.json'));
  bend('catalogue/plans.json', 0, { price: null });
  expect(faults()).toEqual([
    expect.stringMatching(/^company\.json: /),
    expect.stringMatching(/^slides\.json: .*ENOENT/),
    expect.stringMatching(/^catalogue\/plans\.json: \[0\]\.price: /),
  ]);
});

test('an add-on without a price that holds today is told', () => {
  const path = join(folder, 'catalogue/add-ons.json');
  const addOns = JSON.parse(readFileSync(path, 'utf8'));
  for (const row of addOns.microsoft365) row.from = '2999-01-01';
  writeFileSync(path, JSON.stringify(addOns));
  expect(faults()).toEqual([
    expect.stringMatching(/^catalogue\/add-ons\.json: no price for business_standard holds on/),
  ]);
});

test('a price that holds from tomorrow on is shown tomorrow', async () => {
  const tomorrow = Date.now() + 24 * 60 * 60 * 1000;
  const from = new Date(tomorrow).toISOString().slice(0, 10);
  const path = join(folder, 'catalogue/add-ons.json');
  const { microsoft365, cloudBackup } = JSON.parse(readFileSync(path, 'utf8'));
  const raised = { ...microsoft365[0], pricePerUser: 15, from };
  writeFileSync(path, JSON.stringify({ cloudBackup, microsoft365: [...microsoft365, raised] }));
  const app = await startTestApp({}, folder);
  const shown = async () => {
    const { text } = readHtml((await app.visitor().get('/')).text);
    const { pricing } = (await app.visitor().get('/api/page?path=/')).json.content;
    const { pricePerUser } = pricing.addOns.microsoft365.business_standard;
    return [/Business Standard (\S+ per user)/.exec(text)?.[1], pricePerUser];
  };
  expect(await shown()).toEqual(['$12.50 per user', 1250]);
  vi.useFakeTimers({ toFake: ['Date'], now: tomorrow });
  expect(await shown()).toEqual(['$15.00 per user', 1500]);
  await app.stop();
});

test('the site does not start on faulty content, and leaves no server behind', async () => {
  bend('catalogue/plans.json', 0, { price: 'free' });
  await expect(startTestApp({}, folder)).rejects.toThrow('catalogue/plans.json: [0].price');
});

test('plans that are broken while the site runs leave it as it is, and are looked at once', async () => {
  const app = await startTestApp({}, folder);
  const before = (await app.visitor().get('/api/plans')).text;
  bend('catalogue/plans.json', 0, { features: 'all of them' });
  for (let i = 0; i < 3; i += 1) {
    const { status, headers } = await app.visitor().post('/api/update-plans');
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
  }
  // Mended within the ten seconds in which nobody looks again.
  bend('catalogue/plans.json', 0, { features: ['mended'] });
  expect((await app.visitor().post('/api/update-plans')).status).toBe(503);
  expect((await app.visitor().get('/api/plans')).text).toBe(before);
  await app.stop();
});

test('the database follows the content: what changed, what came, what went', async () => {
  const before = await startTestApp({}, folder);
  bend('catalogue/plans.json', 0, { name: 'Starter', price: 99.5 });
  bend('catalogue/plans.json', 2, { id: 77 });
  const compared = join(folder, COMPARISON);
  writeFileSync(compared, readFileSync(compared, 'utf8').replaceAll('"3":', '"77":'));
  const check = join(folder, 'safeguards/check.json');
  writeFileSync(
    check,
    readFileSync(check, 'utf8').replace(
      /("plans": \[.*?)3\]/g,
      (_, before: string) => `${before}77]`,
    ),
  );
  const praise = { id: 1, name: 'Ann', company: 'Lakeside Motors', comment: 'Quick.', rating: 5 };
  writeFileSync(join(folder, 'catalogue/testimonials.json'), JSON.stringify([praise]));
  const app = await before.restart();
  const { json } = await app.visitor().get('/api/plans');
  expect(json.map((plan: Row) => [plan.id, plan.name, plan.price])).toEqual([
    [1, 'Starter', 99.5],
    [2, 'Professional', 850],
    [77, 'Enterprise', 1950],
  ]);
  const { text } = readHtml((await app.visitor().get('/')).text);
  expect(text).toContain('Starter $99.50 per month');
  expect(text).toContain('Lakeside Motors');
  await app.stop();
});
