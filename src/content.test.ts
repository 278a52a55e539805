/** Errors in content/ stop the start with a list of all of them, each with its file and field. */

import {
  cpSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect, test } from 'vitest';
import { ownContentFolder } from '../tests/support/content-folder.ts';
import { todaysAddOnPrices } from '../tests/support/own-content.ts';
import { readContent } from './content.server.ts';
import { sitePages } from './web/site-pages.server.ts';

const content = ownContentFolder();

function errors(): string {
  try {
    readContent(content.folder());
  } catch (error) {
    return String(error);
  }
  throw new Error('the content was accepted');
}

const PLANS = 'catalogue/plans.json';
const SERVICES = 'catalogue/services.json';
const COMPARISON = 'catalogue/comparison.json';
const QUESTIONS = 'catalogue/questions.json';
const ADD_ONS = 'catalogue/add-ons.json';
const CHECK = 'safeguards/check.json';

test('the content as shipped has no invented testimonials', () => {
  expect(readContent(content.folder()).testimonials).toEqual([]);
});

test.each<[string, [file: string, words: string, others: string, error: string][]]>([
  [
    'every violation of a schema',
    [
      [PLANS, '"price": 450', '"price": "450"', '[0].price: Invalid input: expected number'],
      [
        PLANS,
        '"price": 850',
        '"price": 850.001',
        '[1].price: expected dollars from 0 to 1,000,000',
      ],
      [PLANS, '"users": 10', '"color": "red"', '[0]: Unrecognized key: "color"'],
      [SERVICES, '"id": 1,', '"id": 0,', '[0].id: '],
      [COMPARISON, '"3": "About 50 users"', '"3": 50', 'groups[1].rows[0].plans.3: '],
      [ADD_ONS, '"option": "e3"', '"option": "none"', 'microsoft365[2].option: '],
      [QUESTIONS, '"answer": [', '"answer": [], "more": [', '[0].answer: Too small'],
      ['company.json', '"email"', '"mail"', 'email: '],
      ['company.json', '"saas"', '"none"', 'contactServices.none: '],
      ['company.json', '2026-12-25', '2026-12-32', 'hours.closures[1].date: Invalid ISO date'],
      ['company.json', '"17:30"', '"25:30"', 'hours.closes: expected a time such as 08:30'],
      ['home.json', '"contact"', '"call"', 'contact: '],
      ['chat.json', '{time}', '{hour}', 'reply.open: the only places to fill here: {time}'],
      ['chat.json', '{time}', '{{time}}', 'reply.open: the only places to fill here: {time}'],
      ['quote-terms.json', '"The prices above', '"", "The prices above', 'card[0]: '],
      ['pages/terms-of-service.md', 'title: ', 'name: ', 'title: '],
      ['pages/security-policy.md', '---\n', '***\n', 'expected front matter between two lines of'],
      ['news/data-fencing.md', 'date: 2025-05-01', 'date: May 1', 'date: Invalid ISO date'],
      ['news/data-fencing.md', 'url: https:', 'url: javascript:', 'sources[0].url: '],
      ['trust/ten-questions.json', '"/trust#insurance"', '"javascript:alert(1)"', 'sections[8].'],
      ['trust/ten-questions.json', '"/#pricing"', '"//evil.example"', 'sections[6].'],
      ['catalogue/solutions.json', '"/safeguards-check"', '"//evil.example"', '[0].link.href: '],
    ],
  ],
  [
    'every contradiction between files',
    [
      [PLANS, '"id": 2,', '"id": 1,', '[1].id: 1 is taken by an earlier row'],
      [COMPARISON, ', "3": "About 50 users"', '', 'plan 3 is missing in the rows: '],
      [CHECK, '"ftc-safeguards-rule"', '"none"', 'article: there is no article none'],
      [CHECK, '"evidencePlan": 3', '"evidencePlan": 9', 'evidencePlan: there is no plan 9'],
      [QUESTIONS, '{{hours}}', '{{opens}}', 'there is no placeholder {{opens}}'],
      [ADD_ONS, '12.5, "from": "2025', '12.5, "from": "2999', 'no price for business_standard'],
      [SERVICES, '/service-managed-it.jpg', '/none.jpg', '[0].image: there is no file /pictures/n'],
      ['slides.json', '/pictures/hero-1.jpg', '/../package.json', '[0].image: there is no file /'],
      ['news/small-businesses-beware.md', 'id: 2', 'id: 3', 'id: 3 is the id of news/outsourcing'],
      ['news/outsourcing-it.md', 'reviewed: 2026', 'reviewed: 2024', 'reviewed: 2024-11-26 is bef'],
      ['news/active-directory.md', '\n\n', '\n\n<b>look</b>\n\n', 'line '],
      ['pages/privacy-policy.md', '{{legalName}}', '{{owner}}', 'line 7: there is no placeholder'],
      ['trust/sample-report.json', '"columns": [', '"columns": ["More", ', 'sections['],
      [CHECK, '"plans": [1, 2, 3]', '"plans": [1, 2, 9]', 'elements: c: there is no plan 9'],
      [CHECK, '"id": "mfa"', '"id": "access"', 'questions: the id access is used twice'],
    ],
  ],
])('%s is listed with its file and field', (_, edits) => {
  for (const [file, words, others] of edits) content.edit(file, words, others);
  const listed = errors();
  for (const [file, , , error] of edits) expect(listed).toContain(`${file}: ${error}`);
});

test.each([
  ['without a file', { image: '/pictures/team' }],
  ['of a type that browsers cannot show', { image: '/pictures/photo.tiff' }],
  ['spelled in other letters', { image: '/pictures/HERO-1.jpg' }],
  ['outside the folder', { image: '/pictures/../company.json' }],
  ['of another host without TLS', { image: 'http://pictures.example/one.jpg' }],
  ['that is a script', { image: 'javascript:alert(1)' }],
])('a picture %s, which would not be served, stops the start', (_what, change) => {
  content.changeRow('slides.json', 0, change);
  expect(errors()).toContain(`slides.json: [0].image: there is no file ${change.image} `);
});

/** Every text file of content/. */
const FILES = globSync('**/*.{json,md}', { cwd: 'content' });

test('files that a Windows editor saved with a byte order mark and its line breaks are read like others', () => {
  const texts = () => ({ ...readContent(content.folder()), pictureFiles: [] });
  const asShipped = texts();
  for (const file of FILES.filter((name) => !name.startsWith('pictures/'))) {
    const text = readFileSync(content.path(file), 'utf8');
    writeFileSync(content.path(file), `\uFEFF${text.replaceAll('\n', '\r\n')}`);
  }
  expect(texts()).toEqual(asShipped);
});

test.each([
  ['of Windows-1252', Buffer.from('Caf\xE9', 'latin1'), 'line 3: these bytes are not UTF-8'],
  ['of UTF-16', Buffer.from('\uFEFFCafé', 'utf16le'), 'line 3: these bytes are not UTF-8'],
])('bytes %s stop the start, which names file and line', (_what, bytes, error) => {
  for (const file of ['company.json', 'news/data-fencing.md', 'trust/trust.json', PLANS]) {
    writeFileSync(content.path(file), Buffer.concat([Buffer.from('\n\n'), bytes]));
    expect(errors()).toContain(`${file}: ${error}`);
  }
});

test('a missing legal page and an article with an invalid file name are listed', () => {
  rmSync(content.path('pages/privacy-policy.md'));
  renameSync(content.path('news/data-fencing.md'), content.path('news/Data fencing.md'));
  expect(errors()).toMatch(/pages\/privacy-policy\.md: .*no such file/);
  expect(errors()).toContain('news/Data fencing.md: a file name is a-z, 0-9 and single hyphens');
});

test('a Markdown file added to content/pages becomes a page of the site', () => {
  const head = '---\ntitle: Careers\nupdated: 2025-06-01\ndescription: Work with us.\n---\n';
  writeFileSync(content.path('pages/careers.md'), `${head}Write to {{email}}.`);
  const read = readContent(content.folder());
  const page = sitePages(read, read, todaysAddOnPrices(read)).get('/careers');
  expect(page).toMatchObject({
    title: 'Careers',
    updated: '2025-06-01',
    content: { isLegal: false },
  });
});

test.each(['resources', 'checkout', 'news', 'trust', 'contact'])(
  'a Markdown page named %s, whose path is taken, stops the start before its day too',
  (name) => {
    const head = '---\ntitle: News\nupdated: 2999-06-01\ndescription: Ours.\n---\n';
    writeFileSync(content.path(`pages/${name}.md`), `${head}Hello.`);
    expect(errors()).toContain(`pages/${name}.md: the site has another page at /${name}`);
  },
);

test('two texts of one page with the same day stop the start', () => {
  cpSync('content/pages/privacy-policy.md', content.path('pages/privacy-policy.next.md'));
  expect(errors()).toContain(
    'pages/privacy-policy.md: updated: pages/privacy-policy.next.md has the same day',
  );
});

test('one mistake in company.json is reported in one line, without what follows from it', () => {
  content.edit('company.json', '"email"', '"mail"');
  expect(errors().split('\n').slice(1)).toEqual([
    '  - company.json: email: is missing',
    '  - company.json: the whole file: Unrecognized key: "mail"',
  ]);
});

test('a plan that is no longer sold is named once, with the rows of the comparison that have it', () => {
  const plans = JSON.parse(readFileSync(content.path(PLANS), 'utf8'));
  writeFileSync(content.path(PLANS), JSON.stringify(plans.slice(0, 2)));
  const named = errors().match(/comparison\.json: there is no plan 3, which is in the rows: .*/g);
  expect(named).toHaveLength(1);
});

test('a picture that cannot be read, as one of another user, is named', () => {
  rmSync(content.path('pictures'));
  cpSync('content/pictures', content.path('pictures'), { recursive: true });
  symlinkSync(content.path('nowhere.png'), content.path('pictures/anna.png'));
  expect(errors().split('\n').slice(1)).toEqual([
    expect.stringMatching(/^ {2}- pictures\/anna\.png: ENOENT/),
  ]);
});

test('two entries for one day are an error, and so is one that closes before it opens', () => {
  content.edit('company.json', '2026-12-25', '2026-11-26');
  expect(errors()).toContain('hours.closures[1].date: 2026-11-26 is taken by an earlier entry');
  const hours = '"date": "2027-05-31", "hours": { "opens": "12:00", "closes": "09:00" }';
  content.edit('company.json', '"date": "2027-05-31"', hours);
  expect(errors()).toContain('hours.closures[5].hours: closes must be later than opens');
});

test('redirects that could not work stop the start, with a list of all of them', () => {
  const redirects = {
    '/About-Us/': '/#about',
    'http://old.example/x': '/news',
    '/old?p=1': '/news',
    '/news': '/resources/',
    '/resources': '/news',
    '/sitemap.xml': '/news',
    '/api/plans': '/#pricing',
    '/checkout/2': '/#pricing',
    '/a': '/b',
    '/b': '/b',
    '/c': 'https://elsewhere.example/',
    '/d': '/resources',
    '/fine': '/resources/',
    '/feed': '/news/rss.xml',
  };
  writeFileSync(content.path('redirects.json'), JSON.stringify(redirects));
  const listed = errors();
  for (const error of [
    '/About-Us/: please write /about-us',
    'http://old.example/x: expected a path such as /services.html',
    '/old?p=1: please write /old',
    ...['/news', '/resources', '/sitemap.xml', '/api/plans', '/checkout/2'].map(
      (path) => `${path}: the site has its own page there`,
    ),
    ...['/a: the site has no page /b', '/b: the site has no page /b'],
    '/c: the site has no page https://elsewhere.example/',
    '/d: the site has no page /resources',
  ])
    expect(listed).toContain(`redirects.json: ${error}`);
  expect(listed).not.toMatch(/\/fine|\/feed/);
});

test('a page that the site links to cannot wait for its day while none holds until then', () => {
  content.edit('pages/privacy-policy.md', 'updated: 2025', 'updated: 2999');
  content.edit('trust/trust.json', '"updated": "2025', '"updated": "2999');
  const listed = errors();
  expect(listed).toContain('privacy-policy.next.md');
  expect(listed).toContain('trust/trust.json: updated: the day is to come');
});

test('a file in place of the folder is one error, which names the variable', () => {
  expect(() => readContent('package.json')).toThrow(/^There is no folder .* CONTENT_DIR$/);
});
