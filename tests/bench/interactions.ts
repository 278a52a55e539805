/**
 * How long a visitor with a slow phone waits for what was touched to be seen: from the finger to the picture. A finger
 * that taps here comes and goes in no time; one that rests as long as a real one is counted from its going, as browsers
 * count it (Interaction to Next Paint).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { FLAGS } from '../support/browser-flags.ts';
import { findTestBrowser } from '../support/find-browser.ts';
import { SERVER, startProcess } from '../support/server-process.ts';
import { benchKeptPages } from './kept-pages.ts';
import { figure, median } from './measure.ts';
import { watchAnswers } from './watch-answers.ts';

const RUNS = 5;
const SLOWER_PROCESSOR = 4;
/** Between two touches, and before the first. */
const LOOKING_MS = 1000;
const AT_MOST_MS = 100;
/** How long a finger rests on what it taps. */
const RESTING_MS = 80;

interface Interaction {
  what: string;
  /** Where it begins; without one where the last one ended. */
  path?: string;
  /** What somebody has done by then; without it nobody has touched the page, and its script is still to come. */
  before?(page: Page): Promise<void>;
  touch(page: Page): Promise<void>;
  /** The element that is there, or looks different, when it is answered. */
  answer: string;
  /** What the wait is counted from, if not the touch. */
  from?: 'pointerup' | 'keydown';
}

/** A little, as everybody does who reads. */
const scroll = (page: Page) => page.evaluate(() => window.scrollBy(0, 30));
const tap = (role: 'button' | 'link', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().tap();

/** As a finger does it. */
async function rest(target: Locator): Promise<void> {
  const page = target.page();
  const { x, y } = (await target.boundingBox()) ?? { x: 0, y: 0 };
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [{ x: x + 10, y: y + 10 }]);
  await page.waitForTimeout(RESTING_MS);
  await touch('touchEnd', []);
}

const NEXT_SLIDE = {
  path: '/',
  touch: tap('button', 'Next slide'),
  answer: '[aria-roledescription=slide][aria-hidden=false]',
};
const PLAN = {
  path: '/checkout',
  touch: (page: Page) => page.getByText('Professional', { exact: true }).tap(),
  answer: 'p[aria-live]',
};
const ARTICLE = {
  path: '/news',
  touch: (page: Page) => page.locator('main a').first().tap(),
  answer: 'h1',
};

/** From a page that was scrolled. */
const MOVES = [
  {
    what: 'move to the home page',
    before: scroll,
    link: (page: Page) => page.locator('header a[href="/"]'),
  },
  {
    what: 'move to the privacy policy',
    before: (page: Page) => page.locator('footer').scrollIntoViewIfNeeded(),
    link: (page: Page) => page.getByRole('link', { name: 'Privacy Policy' }),
  },
  {
    what: 'move to an article',
    before: scroll,
    link: (page: Page) => page.locator('main a').first(),
  },
];

const INTERACTIONS: readonly Interaction[] = [
  {
    what: 'menu',
    path: '/',
    touch: tap('button', 'Open menu'),
    answer: '#mobile-menu:not([hidden])',
  },
  { what: 'carousel', ...NEXT_SLIDE },
  { what: 'carousel of a page that was scrolled', before: scroll, ...NEXT_SLIDE },
  {
    what: 'planner',
    path: '/',
    before: (page) => page.getByRole('slider').scrollIntoViewIfNeeded(),
    touch: (page) => page.getByRole('slider').press('ArrowRight'),
    answer: 'output',
    from: 'keydown',
  },
  { what: 'plan choice', ...PLAN, answer: 'label:has(:checked)' },
  { what: 'plan choice, until its total is shown', ...PLAN },
  {
    what: 'plan choice on a page that was scrolled, until its total is shown',
    before: scroll,
    ...PLAN,
  },
  {
    what: 'opening the chat for the first time, until a message can be typed',
    path: '/news',
    touch: tap('button', 'Chat with us'),
    answer: '#chat-message',
  },
  {
    what: 'opening the chat for the first time',
    path: '/news',
    touch: tap('button', 'Chat with us'),
    answer: '#chat-panel:not([hidden])',
  },
  {
    what: 'opening the chat again',
    touch: async (page) => {
      await page.getByRole('button', { name: 'Close chat' }).tap();
      await page.waitForTimeout(LOOKING_MS);
      await tap('button', 'Chat with us')(page);
    },
    answer: '#chat-panel:not([hidden])',
  },
  { what: 'move to an article, which is loaded as a document', ...ARTICLE },
  ...MOVES.flatMap(({ what, link, before }) => [
    { what, path: '/news', before, touch: (page: Page) => link(page).tap(), answer: 'h1' },
    {
      what: `${what}, from the lift of a finger that rested`,
      path: '/news',
      before,
      touch: (page: Page) => rest(link(page)),
      answer: 'h1',
      from: 'pointerup' as const,
    },
  ]),
  { what: 'move back to the news', touch: tap('link', 'Back to News'), answer: 'h1' },
];

export async function benchInteractions(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const site = await startProcess(SERVER, { PORT: '0', DATA_DIR: folder });
  const executablePath = findTestBrowser();
  const browser = await chromium.launch({ args: FLAGS, ...(executablePath && { executablePath }) });
  const waits = new Map(INTERACTIONS.map(({ what }) => [what, [] as number[]]));
  for (let run = 0; run < RUNS; run += 1) await visit(browser, site.address, waits);
  for (const [what, ms] of waits) figure(`${what}, ms`, median(ms), { atMost: AT_MOST_MS });
  await browser.close();
  await benchKeptPages(site.address);
  await site.stop();
  rmSync(folder, { recursive: true });
}

async function visit(browser: Browser, address: string, waits: Map<string, number[]>) {
  let page = await openPhone(browser);
  for (const { what, path, before, touch, answer, from } of INTERACTIONS) {
    if (path) {
      // What a tab remembers of an earlier page may have its script come at once.
      await page.context().close();
      page = await openPhone(browser);
      await page.goto(address + path);
    }
    await before?.(page);
    await page.waitForTimeout(LOOKING_MS);
    await page.evaluate(([selector, type]) => window.expectAnswer(selector, type), [
      answer,
      from ?? 'pointerdown',
    ] as const);
    await touch(page);
    waits.get(what)?.push(await answered(page));
  }
  await page.context().close();
}

async function openPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR });
  await page.addInitScript(watchAnswers);
  return page;
}

/** Asked again where a new document has taken the place of the one that was touched. */
async function answered(page: Page): Promise<number> {
  const ask = () => page.evaluate(() => window.answered);
  return ask().catch(ask);
}
