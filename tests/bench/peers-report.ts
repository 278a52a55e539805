/** Writes docs/speed.md's part about the peers: every figure there is one of the run that has just ended. */
import { type Peer, versions } from './peers.ts';
import type { Visit } from './peers-browser.ts';
import { ENCODINGS, type Loads } from './peers-load.ts';
import { bullets, table, writePart } from './speed-page.ts';

export interface Measured extends Peer {
  readyMs: number;
  memoryMb: number;
  loads: Loads;
  /** Missing for the second page of a framework, which to a browser is the same as its first. */
  visited: Visit | undefined;
}

/** Two figures that differ by no more than this part count as equal. */
const EQUAL = 0.05;

/** What it is, less of which is better but where `more` is said; a page that was not visited has no such figure. */
type Row = [
  what: string,
  of: (one: Measured) => number | undefined,
  digits?: number,
  more?: 'more',
];

const ROWS: readonly Row[] = [
  ...ENCODINGS.map((asked): Row => {
    return [`answers a second, ${asked} asked`, ({ loads }) => loads[asked].perSecond, 0, 'more'];
  }),
  ...ENCODINGS.map((asked): Row => [`p99, ms, ${asked}`, ({ loads }) => loads[asked].p99Ms, 1]),
  ['ready after, ms', ({ readyMs }) => readyMs],
  ['memory after the load, MB', ({ memoryMb }) => memoryMb],
  ['LCP, ms', ({ visited }) => visited?.lcpMs],
  ['TBT, ms', ({ visited }) => visited?.tbtMs],
  ['INP, ms', ({ visited }) => visited?.inpMs],
  ['script, nothing touched, KB', ({ visited }) => visited?.untouchedKb],
  ['script, all was used, KB', ({ visited }) => visited?.touchedKb],
];

export function writeReport(all: readonly Measured[], about: readonly string[]): void {
  const known = new Map(all.map(({ name, folder }) => [name.replace(/,.*/, ''), versions(folder)]));
  const heads = ['', ...all.map(({ name }) => name)];
  writePart('npm run bench:peers', [
    '## Beside other frameworks',
    HOW,
    bullets([...about, ...[...known].map(([name, packages]) => `${name}: ${packages}`)]),
    table(
      heads,
      ROWS.map(([what, ...row]) => [what, ...all.map((one) => shown(row, one))]),
    ),
    'What each sent for the encoding that was asked, and how many times as much the client could have asked:',
    table(
      heads,
      ENCODINGS.map((asked) => [asked, ...all.map(({ loads }) => sent(loads[asked]))]),
    ),
    'What this site is to send, as often as others:',
    bullets(
      promises(all).map(({ what, times, atLeast }) => {
        const missed = times < atLeast ? ', MISSED' : '';
        return `${what}: ${times.toFixed(1)} (at least ${atLeast}${missed})`;
      }),
    ),
    '### Where we are behind',
    `By more than ${EQUAL * 100} %:`,
    bullets(behind(all)),
  ]);
}

const HOW = `The home page, made by each framework as its documentation says from the components of this site: the same text, pictures, menu, carousel and form ([bench/peers](../bench/peers/README.md)). \`npm run bench:peers\` installs, builds and starts them one at a time, measures, and writes this part; \`npm run bench:peers -- --built\` takes what the last run has built. It wants a machine that does nothing else.

Answers and p99 are medians of rounds with 32 connections against one core, the client on another. "Ready" is from the start of the process to the end of its first good answer, the median of five starts. LCP and TBT are Lighthouse's on its slow phone (a quarter of the processor, slow 4G, slowed as it loads), with a carousel that stands still; INP is the slowest of menu, pictures and form on a phone that is slowed the same; medians of three, on one page of each framework, for its other one is the same to a browser. Script is what Chromium fetched within ten seconds of a page that nobody touches, and until menu, pictures and form were used; each file is packed by gzip for the comparison, however the server packs.

This site's page has more on it than the others': the chat, moves to other pages, lists that are fetched anew, and an access log of every request.`;

/** What this site promises beside Next.js, whatever the encoding; and that it was not the client that was measured. */
export function promises(all: readonly Measured[]) {
  const rate = (wanted: string, encoding: (typeof ENCODINGS)[number]) =>
    all.find(({ name }) => name === wanted)?.loads[encoding].perSecond ?? Number.NaN;
  return ENCODINGS.flatMap((asked) => {
    const times = (other: string) => rate('this site', asked) / rate(other, asked);
    const client = Math.min(...all.map(({ loads }) => loads[asked].clientTimes));
    return [
      {
        what: `${asked}: times Next.js per request`,
        times: times('Next.js, per request'),
        atLeast: 20,
      },
      {
        what: `${asked}: times Next.js prerendered`,
        times: times('Next.js, prerendered'),
        atLeast: 3,
      },
      {
        what: `${asked}: the client against nothing, times the quickest`,
        times: client,
        atLeast: 2,
      },
    ];
  });
}

function shown([of, digits]: [Row[1], Row[2]?, Row[3]?], one: Measured): string {
  return of(one)?.toFixed(digits) ?? '–';
}

function sent({ encoding, kilobytes, clientTimes }: Loads['br']): string {
  return `${encoding}, ${kilobytes.toFixed(0)} KB, ×${clientTimes.toFixed(1)}`;
}

function behind([own, ...others]: readonly Measured[]): string[] {
  if (!own) return [];
  const lines = ROWS.flatMap(([what, of, digits, more]) => {
    const mine = of(own) ?? Number.NaN;
    const ahead = others.filter((other) => {
      const theirs = of(other) ?? Number.NaN;
      return more ? theirs > mine * (1 + EQUAL) : theirs < mine * (1 - EQUAL);
    });
    const told = ahead.map((other) => `${shown([of, digits], other)} with ${other.name}`);
    return told.length > 0 ? [`${what}: ${shown([of, digits], own)} here, ${told.join('; ')}`] : [];
  });
  return lines.length > 0 ? lines : ['Nowhere in this run.'];
}
