/** Writes docs/speed.md's part about the peers: every figure there is one of the run that has just ended. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Visit } from './peers-browser.ts';
import { ENCODINGS, type Loaded, type Loads } from './peers-load.ts';

export interface Measured {
  name: string;
  folder: string;
  versions: string;
  readyMs: number;
  memoryMb: number;
  loads: Loads;
  /** Missing for the second page of a framework, which to a browser is the same as its first. */
  visited: Visit | undefined;
}

const FILE = 'docs/speed.md';
const BEGIN = '<!-- peers: written by npm run bench:peers -->';
const END = '<!-- /peers -->';
/** Within this part of each other two figures count as equal. */
const EQUAL = 0.05;

interface Row {
  what: string;
  of: (measured: Measured) => number;
  better: 'more' | 'less';
  digits?: number;
}

const byEncoding = (what: string, of: (loaded: Loaded) => number, rest: Omit<Row, 'what' | 'of'>) =>
  ENCODINGS.map((encoding): Row => {
    const name = `${what}, ${encoding} asked`;
    return { what: name, of: ({ loads }) => of(loads[encoding]), ...rest };
  });

const ROWS: readonly Row[] = [
  ...byEncoding('answers a second', ({ perSecond }) => perSecond, { better: 'more' }),
  ...byEncoding('p99, ms', ({ p99Ms }) => p99Ms, { better: 'less', digits: 1 }),
  { what: 'ready after, ms', of: ({ readyMs }) => readyMs, better: 'less' },
  { what: 'memory after the load, MB', of: ({ memoryMb }) => memoryMb, better: 'less' },
  ...Object.entries({
    lcpMs: 'LCP, ms',
    tbtMs: 'TBT, ms',
    inpMs: 'INP, ms',
    untouchedKb: 'script untouched, KB',
    touchedKb: 'script after all was used, KB',
  }).map(
    ([key, what]): Row => ({
      what,
      of: ({ visited }) => visited?.[key as keyof Visit] ?? Number.NaN,
      better: 'less',
    }),
  ),
];

export function writeReport(all: readonly Measured[], about: readonly string[]): void {
  const [own, ...others] = all;
  if (!own) return;
  const part = [
    BEGIN,
    '## Beside other frameworks',
    HOW,
    bullets([...about, ...versionLines(all)]),
    table(
      all,
      ROWS.map((row) => [row.what, ...all.map((one) => shown(row, one))]),
    ),
    'What each sent for the encoding that was asked, and how many times as much the client could have asked:',
    table(
      all,
      ENCODINGS.map((encoding) => [
        `${encoding} asked`,
        ...all.map(({ loads: { [encoding]: answer } }) => {
          return `${answer.sent}, ${answer.kilobytes.toFixed(0)} KB, ×${answer.clientTimes.toFixed(1)}`;
        }),
      ]),
    ),
    '### Where we are behind',
    `By more than ${EQUAL * 100} % of the other's figure:`,
    bullets(behind(own, others)),
    END,
  ].join('\n\n');
  writeFileSync(FILE, placed(part));
}

const HOW = `The home page, made by each framework as its documentation says from the components of this site: the same text, pictures, menu, carousel and form ([bench/peers](../bench/peers/README.md)). \`npm run bench:peers\` installs, builds and starts them one at a time, measures, and writes this part; \`npm run bench:peers -- --built\` takes what the last run has built.

Throughput and p99 are medians of rounds against one core, the client on another. "Ready" is from the start of the process to the end of its first good answer, the median of five starts. LCP and TBT are Lighthouse's on its slow phone (a quarter of the processor, slow 4G, slowed as it loads); INP is the slowest of menu, pictures and form on a phone that is slowed the same; medians of three, on one page of each framework, for its other one is the same to a browser. Script is counted from what Chromium fetched, each file packed by gzip, for it is not the server's packing that is compared there. This site's page has more on it than the others': the chat, toasts with their keys, moves to other pages, lists that are fetched anew, and an access log of every request.`;

function versionLines(all: readonly Measured[]): string[] {
  const known = new Map(all.map(({ name, versions }) => [name.replace(/,.*/, ''), versions]));
  return [...known].map(([name, versions]) => `${name}: ${versions}`);
}

function shown({ of, digits = 0 }: Row, measured: Measured): string {
  const value = of(measured);
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

function behind(own: Measured, others: readonly Measured[]): string[] {
  const lines = ROWS.flatMap((row) => {
    const mine = row.of(own);
    const ahead = others.filter((other) => {
      const theirs = row.of(other);
      return row.better === 'more' ? theirs > mine * (1 + EQUAL) : theirs < mine * (1 - EQUAL);
    });
    const told = ahead.map((other) => `${shown(row, other)} with ${other.name}`);
    return told.length > 0 ? [`${row.what}: ${shown(row, own)} here, ${told.join('; ')}`] : [];
  });
  return lines.length > 0 ? lines : ['Nowhere in this run.'];
}

function table(all: readonly Measured[], rows: readonly (readonly string[])[]): string {
  const heads = ['', ...all.map(({ name }) => name)];
  const lines = [heads, heads.map((_, place) => (place === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** The rest of the file, which others write, stays as it is. */
function placed(part: string): string {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '# Speed\n';
  const [begin, end] = [before.indexOf(BEGIN), before.indexOf(END)];
  if (begin < 0 || end < begin) return `${before.trimEnd()}\n\n${part}\n`;
  return before.slice(0, begin) + part + before.slice(end + END.length);
}
