/** Feeds a screen the bent answers of its calls, one after the other, and notes what is wrong with it then. */
import type { JSHandle, Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Ask, Fed, Until } from './asks.ts';
import { type BentAnswer, bentAnswers } from './bent-answers.ts';
import type { Screen } from './screens.ts';

/**
 * All calls of the screen at once, each with its own fault, as often as the longest list of faults asks for; at the end
 * as they should be. `begin` opens the document and gives what has the screen make its calls.
 */
export async function feed(
  page: Page,
  screen: Screen,
  begin: () => Promise<JSHandle<Ask>>,
): Promise<string[]> {
  const { calls, besides = [], stays, where = 'main', starts = 40 } = screen;
  const { seen: isSeen = false, whole = inject('everything'), loses } = screen;
  const bent = calls.map(({ url, answer, not, ...call }) => ({
    url: url.source,
    answers: bentAnswers(answer)
      .filter(({ name }) => !not?.test(name))
      .map((each) => ({ ...each, awaited: awaitedAfter(each, call) })),
  }));
  const rounds = Math.max(...bent.map(({ answers }) => answers.length));
  const fed = turns(rounds, whole).map((round) =>
    bent.flatMap(({ url, answers }) => {
      const answer = answers.at(round < rounds ? round % answers.length : -1);
      return answer ? [{ ...answer, url }] : [];
    }),
  );
  const feeding = fed.map((answers) => ({
    answers,
    awaited: [...stays, ...answers.flatMap(({ awaited }) => awaited)],
  }));
  const sound = besides.flatMap(({ url, answer }) =>
    bentAnswers(answer)
      .slice(-1)
      .map((each) => ({ ...each, url: url.source })),
  );
  const never = NEVER.source;
  const seen: string[][] = [];
  for (let first = 0; first < feeding.length; first += starts) {
    const part = feeding.slice(first, first + starts);
    const ask = await begin();
    seen.push(
      ...(await page.evaluate(feedInPage, {
        feeding: part,
        sound,
        ask,
        where,
        never,
        isSeen,
        loses,
      })),
    );
    if (seen.length < first + part.length) break;
  }
  return seen.flatMap((faults, round) =>
    faults.length === 0
      ? []
      : [`${faults.join(', ')} after ${fed[round]?.map(({ name }) => name).join(' and ')}`],
  );
}

/** In the gate every eighth fault, in the full run all; last what nothing is wrong with. */
function turns(rounds: number, whole: boolean): number[] {
  const all = Array.from({ length: rounds + 1 }, (_, round) => round);
  return whole ? all : all.filter((round) => round % 8 === 0 || round === rounds);
}

/** What stands there besides: the rest of an answer of which one field is wrong, or that there is none. */
function awaitedAfter(
  { bend, status, body, name }: BentAnswer,
  { rest, needs, failure }: Partial<Screen['calls'][0]>,
): string[] {
  const gone = bend === 'all' || needs?.test(name);
  // That there is no such thing is an answer, too.
  if (gone) return failure && status !== 404 ? [failure] : [];
  return rest && body.includes(rest) ? [rest] : [];
}

/** What no screen shows, nor has in its links: a part that has failed, or a value that nobody has looked at. */
export const NEVER = /This part didn’t load|undefined|NaN|\[object|Invalid Date/;

interface Feeding {
  feeding: { answers: Fed[]; awaited: string[] }[];
  sound: Fed[];
  ask: Ask;
  where: string;
  never: string;
  /** What nobody sees need not be laid out. */
  isSeen: boolean;
  loses: Screen['loses'];
}

/** Runs in the page, where hundreds of answers take no way over the network. */
async function feedInPage(all: Feeding): Promise<string[][]> {
  const { feeding, sound, ask, where, never, isSeen, loses } = all;
  document.documentElement.hidden = !isSeen;

  const text = () => document.querySelector(where)?.textContent ?? '';
  const failed = () => /didn’t load/.test(text());
  const pause = () => new Promise((next) => setTimeout(next));
  /** Gives up after a while: what never comes is found missing. */
  const until: Until = async (true_) => {
    const end = performance.now() + 5_000;
    while (!true_() && performance.now() < end) await pause();
  };
  /** React draws what has been answered in tasks of its own. */
  const drawn = async () => {
    for (let before = null; before !== text(); ) {
      before = text();
      await pause();
      await pause();
    }
  };
  const plainFetch = window.fetch;
  const seen: string[][] = [];
  for (const { answers, awaited } of feeding) {
    const open = new Set(answers);
    window.fetch = async (input, init) => {
      const found = [...answers, ...sound].find(({ url }) => new RegExp(url).test(String(input)));
      if (!found) return plainFetch(input, init);
      const { status, contentType, body } = found;
      const headers = { 'Content-Type': contentType };
      const response = new Response(status === 204 ? null : body, { status, headers });
      const read = response.text.bind(response);
      response.text = () => read().finally(() => open.delete(found));
      return response;
    };
    await ask(until);
    const missing = () => awaited.filter((each) => !text().includes(each));
    const over = () =>
      !loses || !window.location.search.includes(loses.parameter) || text().includes(loses.unless);
    await until(() => failed() || (open.size === 0 && missing().length === 0 && over()));
    await drawn();
    const html = document.getElementById('root')?.innerHTML ?? '';
    const wrong = new RegExp(never).exec(html);
    seen.push([
      ...(document.querySelector('header a') ? [] : ['no navigation']),
      ...(wrong ? [`"${html.slice(Math.max(wrong.index - 60, 0), wrong.index + 30)}"`] : []),
      ...missing().map((each) => `without "${each}"`),
      ...[...open].map(({ url }) => `never asked for ${url}`),
    ]);
    // Each further one may take as long as the patience above.
    if (seen.filter(({ length }) => length > 0).length === 3) break;
  }
  window.fetch = plainFetch;
  document.documentElement.hidden = false;
  return seen;
}
