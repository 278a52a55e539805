/** What the documents say of the code can be looked up. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DECISIONS = 'docs/decisions';
const read = (path: string) => readFileSync(path, 'utf8');
const documents = [...globSync('docs/**/*.md'), ...globSync('*.md')];

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

function anchorsIn(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** The files that items of a list begin with; some are in the folder of the one before. */
function filesIn(walk: string): Set<string> {
  const files = new Set<string>();
  for (const [, names = ''] of walk.matchAll(/^- ((?:`[^`]+`(?:, )?)+): /gm)) {
    let folder = '';
    for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) {
      if (name.includes('/')) folder = dirname(name);
      files.add(name.includes('/') ? name : join(folder, name));
    }
  }
  return files;
}

test.each(documents)('a reader of %s finds what its links lead to', (path) => {
  const broken = [...read(path).matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)].filter(
    ([, target = '', anchor]) => {
      const file = target ? join(dirname(path), target) : path;
      return !existsSync(file) || (anchor && !anchorsIn(file).includes(anchor));
    },
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('a newcomer opens as many files for a walk as its heading says, and finds each', () => {
  const [walked = ''] = read('docs/walks.md').split('\n## Common changes');
  const [, ...walks] = walked.split(/^(?=### )/m);
  expect(walks.length).toBeGreaterThan(0);
  for (const walk of walks) {
    const files = filesIn(walk);
    expect(walk.split('\n')[0]).toMatch(new RegExp(`: ${files.size} files$`));
    expect([...files].filter((file) => !existsSync(file))).toEqual([]);
  }
});

test('a decision is read in two minutes, and found in the list', () => {
  const index = read(join(DECISIONS, 'README.md'));
  for (const file of globSync('[0-9]*.md', { cwd: DECISIONS })) {
    const words = read(join(DECISIONS, file)).match(/\S*\w\S*/g) ?? [];
    expect([file, words.length <= 330]).toEqual([file, true]);
    expect(index).toContain(`(${file})`);
  }
});

test('an operator who greps an event of the log finds what it says', () => {
  const reliability = read('docs/reliability.md');
  const events = globSync('src/**/*.server.ts').flatMap((path) =>
    [...read(path).matchAll(/logEvent\(\s*'\w+',\s*'([^']+)'/g)].map(([, event]) => event),
  );
  expect(events.length).toBeGreaterThan(0);
  expect(events.filter((event) => !reliability.includes(`\`${event}\``))).toEqual([]);
});

test('what styles leave out is there, under the name that they have for it', () => {
  for (const sheet of globSync('src/ui/*.css'))
    for (const [, path = ''] of read(sheet).matchAll(/^@source not "(.+)";$/gm)) {
      const [, before = '', names = path, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
      const missing = names
        .split(',')
        .filter((name) => globSync(join('src/ui', before + name + after)).length === 0);
      expect([sheet, missing]).toEqual([sheet, []]);
    }
});

test('a comment fits into 100 columns, as STYLE.md says', () => {
  const wide = globSync('{src,tests,scripts}/**/*.{ts,tsx,mjs}').flatMap((path) =>
    [...read(path).matchAll(/^ *(?:\/\/|\/?\*).*$/gm)]
      .filter(([line]) => line.length > 100)
      .map(([line]) => `${path}: ${line}`),
  );
  expect(wide).toEqual([]);
});
