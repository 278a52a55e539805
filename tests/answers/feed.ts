/** Feeds a screen the bent answers of its calls, one after the other, and notes what is wrong with it then. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { type BentAnswer, bentAnswers } from './bent-answers.ts';

export interface Screen {
  name: string;
  path: string;
  /** What stands on it whatever comes. */
  stays: readonly [string, ...string[]];
  /** The part of the document in which it stands; `main` unless it says another. */
  where?: string;
  /** Every fault is fed, in the gate too. */
  whole?: boolean;
  calls: readonly {
    url: RegExp;
    answer: unknown;
    /** Of the answer: what stands there besides while no more than one field is wrong, such as in the second row. */
    rest?: string;
    /** The fields without which nothing can be made of it, by the names of their bent answers. */
    needs?: RegExp;
    /** What is said then. */
    failure?: string;
    /** Bent answers that are left out. */
    not?: RegExp;
  }[];
  /** Other calls that it may make then, answered as they should be. */
  besides?: readonly { url: RegExp; answer: unknown }[];
}

/** What no screen shows, nor has in its links: a part that has failed, or a value that nobody has looked at. */
export const NEVER = /This part didn’t load|undefined|NaN|\[object|Invalid Date/;
/** What never comes by then is found missing. */
const LONGEST_MS = 15_000;
/** In the gate one of so many faults is fed, in the full run all. */
const ONE_OF = 16;

/** Opens the screen's document, also where only the hash of the address would change. */
export async function openAnew(page: Page, address: string, path: string): Promise<void> {
  await page.goto(`${address}/robots.txt`);
  await page.goto(address + path);
}

/**
 * All calls of the screen at once, each with its own fault, as often as the longest list of faults asks for; at the end
 * as they should be. `begin` has the screen make its calls.
 */
export async function feed(
  page: Page,
  screen: Screen,
  begin: () => Promise<unknown>,
): Promise<string[]> {
  const { calls, besides = [], stays, where = 'main' } = screen;
  const fed = calls.map(({ answer, not, ...call }) => ({
    ...call,
    answers: bentAnswers(answer).filter(({ name }) => !not?.test(name)),
  }));
  const open = new Set<object>();
  let sent = new Map<object, BentAnswer>();
  for (const { url, answer } of besides)
    await page.route(url, (route) => route.fulfill({ json: answer }));
  for (const call of fed)
    await page.route(call.url, async (route) => {
      const answer = sent.get(call);
      if (!answer) return route.fallback();
      const { status, contentType, body } = answer;
      await route.fulfill({ status, body, ...(contentType && { contentType }) });
      open.delete(call);
    });

  const rounds = Math.max(...fed.map(({ answers }) => answers.length));
  const whole = screen.whole ?? inject('everything');
  const faults: string[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    if (!whole && round % ONE_OF !== 0 && round !== rounds) continue;
    const answers = fed.flatMap((call) => {
      const answer = call.answers.at(round < rounds ? round % call.answers.length : -1);
      return answer ? [{ call, answer }] : [];
    });
    sent = new Map(answers.map(({ call, answer }) => [call, answer]));
    for (const { call } of answers) open.add(call);
    await begin();
    const awaited = [
      ...stays,
      ...answers.flatMap(({ call, answer }) => awaitedAfter(answer, call)),
    ];
    const found = await look(page, { where, awaited, open });
    if (found.length === 0) continue;
    faults.push(
      `${found.join(', ')} after ${answers.map(({ answer }) => answer.name).join(' and ')}`,
    );
    if (faults.length === 3) break;
  }
  return faults;
}

interface Looked {
  where: string;
  awaited: string[];
  /** The calls that are not answered yet. */
  open: ReadonlySet<object>;
}

async function look(page: Page, { where, awaited, open }: Looked): Promise<string[]> {
  const end = performance.now() + LONGEST_MS;
  let before = '';
  for (;;) {
    const { isReady, text, html, framed } = await page.evaluate(readScreen, where);
    const missing = awaited.filter((each) => !text.includes(each));
    const whole = isReady && missing.length === 0 && open.size === 0;
    // React draws what has been answered a little later.
    const still = html === before;
    before = html;
    if (!(whole && still) && performance.now() < end) {
      await pause(50);
      continue;
    }
    const wrong = NEVER.exec(html);
    return [
      ...(framed ? [] : ['no navigation']),
      ...(wrong ? [`"${html.slice(Math.max(wrong.index - 60, 0), wrong.index + 30)}"`] : []),
      ...missing.map((each) => `without "${each}"`),
      ...(open.size === 0 ? [] : ['not all calls were made']),
    ];
  }
}

/** Runs in the page. */
function readScreen(where: string) {
  return {
    isReady: document.documentElement.dataset.ready !== undefined,
    text: document.querySelector(where)?.textContent ?? '',
    html: document.getElementById('root')?.innerHTML ?? '',
    framed: document.querySelector('header a') !== null,
  };
}

/** What stands there besides: the rest of an answer of which one field is wrong, or that there is none. */
function awaitedAfter(
  { bend, status, body, name }: BentAnswer,
  { rest, needs, failure }: Pick<Screen['calls'][0], 'rest' | 'needs' | 'failure'>,
): string[] {
  const gone = bend === 'all' || needs?.test(name);
  // That there is no such thing is an answer, too.
  if (gone) return failure && status !== 404 ? [failure] : [];
  return rest && body.includes(rest) ? [rest] : [];
}
