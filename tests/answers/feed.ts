/** Feeds a screen the bent answers of one of its calls, one after the other, and notes what is wrong with it then. */
import type { Page } from 'playwright-core';
import { type BentAnswer, bentAnswers } from './bent-answers.ts';
import type { Screen } from './screens.ts';

/**
 * All calls of the screen at once, each with its own fault, as often as the longest list of faults asks for. The screen
 * makes its calls again when somebody comes back to it from `away`; one at a fragment, when that changes.
 */
export async function feed(page: Page, screen: Screen, away = ''): Promise<string[]> {
  const { path, stays, calls } = screen;
  const bent = calls.map(({ url, answer, rest }) => ({ url, rest, answers: bentAnswers(answer) }));
  const rounds = Math.max(...bent.map(({ answers }) => answers.length));
  const fed = Array.from({ length: rounds }, (_, round) =>
    bent.flatMap(({ url, rest, answers }) => {
      const answer = answers[round % answers.length];
      return answer
        ? [{ ...answer, url: url.source, rest: answer.field === null ? [] : rest }]
        : [];
    }),
  );
  const seen = await page.evaluate(feedInPage, { fed, path, away, mark: stays[0] ?? '' });
  return seen.flatMap((shown, round) => {
    const answers = fed[round] ?? [];
    const faults = faultsOf(shown, [...stays, ...answers.flatMap(({ rest = [] }) => rest)]);
    if (faults.length === 0) return [];
    return [`${faults.join(', ')} after ${answers.map(({ name }) => name).join(' and ')}`];
  });
}

/** What no screen shows: a part or a page that has failed, or a value that nobody has looked at. */
const NEVER = [/could not be shown/, /undefined|NaN|\[object|Invalid Date/];

interface Shown {
  /** The links of the frame. */
  links: number;
  /** What stands in the page. */
  text: string;
}

export function faultsOf({ links, text }: Shown, awaited: readonly string[]): string[] {
  return [
    ...(links > 0 ? [] : ['no navigation']),
    ...awaited.filter((each) => !text.includes(each)).map((each) => `without "${each}"`),
    ...NEVER.flatMap((pattern) => pattern.exec(text)?.[0] ?? []),
  ];
}

interface Feeding {
  fed: (BentAnswer & { url: string })[][];
  path: string;
  away: string;
  /** Stands on this screen and not on the other. */
  mark: string;
}

/** Runs in the page, where hundreds of answers take no way over the network. */
async function feedInPage({ fed, path, away, mark }: Feeding): Promise<Shown[]> {
  const text = () => document.querySelector('main')?.textContent ?? '';
  const pause = () => new Promise((next) => setTimeout(next));
  /** Gives up after a while: what never comes is found missing. */
  const until = async (true_: () => boolean) => {
    const end = performance.now() + 5_000;
    while (!true_() && performance.now() < end) await pause();
    // React draws what has been answered in tasks of its own.
    for (let task = 0; task < 6; task += 1) await pause();
  };
  const plainFetch = window.fetch;
  const seen: Shown[] = [];
  for (const answers of fed) {
    const open = new Set(answers);
    window.fetch = async (input, init) => {
      const found = answers.find(({ url }) => new RegExp(url).test(String(input)));
      if (!found) return plainFetch(input, init);
      open.delete(found);
      const { status, contentType, body } = found;
      const headers = { 'Content-Type': contentType };
      return new Response(status === 204 ? null : body, { status, headers });
    };
    if (path.startsWith('#')) window.location.hash = `${path}${seen.length}`;
    else {
      window.history.pushState(null, '', away);
      await until(() => !text().includes(mark));
      window.history.pushState(null, '', path);
    }
    await until(() => open.size === 0 && text().includes(mark));
    seen.push({ links: document.querySelectorAll('header a').length, text: text() });
    if (!text().includes(mark)) break;
  }
  window.fetch = plainFetch;
  return seen;
}
