/** Gives a screen one malformed answer after another, and reports what is wrong with the screen then. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { answer } from '../support/staff-answers.ts';
import { TIMEOUT_MS } from '../support/test-plan.ts';
import { type MalformedAnswer, malformedAnswers } from './malformed-answers.ts';

interface Call {
  /** Glob of the path after /api/. */
  call: string;
  answer: unknown;
  /** A text from the answer, such as in its second row, that must be shown while only one field is wrong. */
  shows?: string;
  /** Fields without which the answer is useless, matched against the variants' names. */
  essential?: RegExp;
  /** The error that is shown then. */
  failure?: string;
  /** Variants to leave out. */
  skip?: RegExp;
}

interface Fed {
  /** Texts that the screen must show with any answer. */
  always: readonly string[];
  /** Selector of the element with these texts; `main` by default. */
  within?: string;
  /** Feeds every variant, even in the gate. */
  everyVariant?: boolean;
  calls: readonly Call[];
  /** Further calls of the screen, which get correct answers. */
  otherCalls?: readonly Call[];
}

export interface Screen extends Fed {
  name: string;
  path: string;
}

/** What no screen may contain: a failed part, or an unchecked value in a text or a link. */
export const NEVER = /This part didn’t load|undefined|NaN|\[object|Invalid Date/;
/** The gate feeds one variant of this many, the full run all. */
const GATE_STEP = 160;

/** A screen that is fed every variant: a slow machine takes minutes for hundreds of pages. */
export const EVERY_VARIANT = { timeout: 30 * 60_000 };

/** Loads the document again, even if only the hash of the address differs. */
export async function reopen(page: Page, address: string, path: string): Promise<void> {
  await page.goto(`${address}/robots.txt`);
  await page.goto(address + path);
}

/**
 * Each round answers all calls of the screen, each with its next malformed variant; the last round answers correctly.
 * `begin` makes the screen send its calls.
 */
export async function feed(
  page: Page,
  { calls, otherCalls = [], always, within = 'main', everyVariant = inject('everything') }: Fed,
  begin: () => Promise<unknown>,
): Promise<string[]> {
  const fed = calls.map(({ answer, skip, ...call }) => ({
    ...call,
    answers: malformedAnswers(answer).filter(({ name }) => !skip?.test(name)),
  }));
  const open = new Set<object>();
  let sent = new Map<object, MalformedAnswer>();
  for (const other of otherCalls) await answer(page, other.call, other.answer);
  for (const call of fed)
    await page.route(`**/api/${call.call}`, async (route) => {
      const answer = sent.get(call);
      if (!answer) return route.fallback();
      const { status, contentType, body } = answer;
      await route.fulfill({ status, body, ...(contentType && { contentType }) });
      open.delete(call);
    });

  const rounds = Math.max(...fed.map(({ answers }) => answers.length));
  const faults: string[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    if (!everyVariant && round % GATE_STEP !== 0 && round !== rounds) continue;
    const answers = fed.flatMap((call) => {
      const answer = call.answers.at(round < rounds ? round % call.answers.length : -1);
      return answer ? [{ call, answer }] : [];
    });
    sent = new Map(answers.map(({ call, answer }) => [call, answer]));
    for (const { call } of answers) open.add(call);
    await begin();
    const expected = [
      ...always,
      ...answers.flatMap(({ call, answer }) => expectedAfter(answer, call)),
    ];
    const found = await findFaults(page, { within, expected, open });
    if (found.length === 0) continue;
    faults.push(
      `${found.join(', ')} after ${answers.map(({ answer }) => answer.name).join(' and ')}`,
    );
    if (faults.length === 3) break;
  }
  return faults;
}

interface Expectations {
  within: string;
  expected: string[];
  /** Calls that have not been answered yet. */
  open: ReadonlySet<object>;
}

async function findFaults(page: Page, { within, expected, open }: Expectations): Promise<string[]> {
  const end = performance.now() + TIMEOUT_MS;
  let before = '';
  for (;;) {
    const { isReady, text, html, hasNavigation } = await page.evaluate(readScreen, within);
    const missing = expected.filter((each) => !text.includes(each));
    const isComplete = isReady && missing.length === 0 && open.size === 0;
    // React renders an answer a little later, so wait until nothing changes.
    const isStable = html === before;
    before = html;
    if (!(isComplete && isStable) && performance.now() < end) {
      await pause(50);
      continue;
    }
    const wrong = NEVER.exec(html);
    return [
      ...(hasNavigation ? [] : ['no navigation']),
      ...(wrong ? [`"${html.slice(Math.max(wrong.index - 60, 0), wrong.index + 30)}"`] : []),
      ...missing.map((each) => `without "${each}"`),
      ...(open.size === 0 ? [] : ['not all calls were made']),
    ];
  }
}

/** Runs in the page. */
function readScreen(selector: string) {
  return {
    isReady: document.documentElement.dataset.ready !== undefined,
    text: document.querySelector(selector)?.textContent ?? '',
    html: document.getElementById('root')?.innerHTML ?? '',
    hasNavigation: document.querySelector('header a') !== null,
  };
}

/** Texts that must be shown after this answer: the rest of it if one field is wrong, or the error. */
function expectedAfter(
  { wrong, status, body, name }: MalformedAnswer,
  { shows, essential, failure }: Pick<Call, 'shows' | 'essential' | 'failure'>,
): string[] {
  const isUseless = wrong === 'all' || essential?.test(name);
  // A 404 is shown as 'not found' and not as a failure.
  if (isUseless) return failure && status !== 404 ? [failure] : [];
  return shows && body.includes(shows) ? [shows] : [];
}
