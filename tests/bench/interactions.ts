/** Time from a touch to the next paint that answers it, on a slow phone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { FLAGS } from '../support/browser-flags.ts';
import { findTestBrowser } from '../support/find-browser.ts';
import { SERVER, startProcess } from '../support/server-process.ts';
import { benchKeptPages } from './kept-pages.ts';
import { figure, median } from './measure.ts';
import { watchAnswers } from './watch-answers.ts';

const RUNS = 5;
const SLOWER_PROCESSOR = 4;
/** Pause before each touch. */
const PAUSE_MS = 1000;
const AT_MOST_MS = 150;

interface Interaction {
  what: string;
  /** The page to open; otherwise it continues on the page of the previous one. */
  path?: string;
  /** Preparation that is not measured. */
  before?(page: Page): Promise<void>;
  touch(page: Page): Promise<void>;
  /** The element that appears or changes as the answer. */
  answer: string;
  /** The event that starts the measurement, if not the touch. */
  from?: 'keydown';
}

/** A little, like every reader. */
const scroll = (page: Page) => page.evaluate(() => window.scrollBy(0, 30));
const tap = (role: 'button', name: string) => (page: Page) =>
  page.getByRole(role, { name }).first().tap();

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
const INTERACTIONS: readonly Interaction[] = [
  {
    what: 'menu',
    path: '/',
    touch: tap('button', 'Open menu'),
    answer: '#mobile-menu:popover-open',
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
    answer: '#chat-message:focus',
  },
  {
    what: 'opening the chat for the first time',
    path: '/news',
    touch: tap('button', 'Chat with us'),
    answer: '#chat-panel:popover-open',
  },
  {
    what: 'opening the chat again',
    touch: async (page) => {
      await page.getByRole('button', { name: 'Close chat' }).tap();
      await page.waitForTimeout(PAUSE_MS);
      await tap('button', 'Chat with us')(page);
    },
    answer: '#chat-panel:popover-open',
  },
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
      await page.context().close();
      page = await openPhone(browser);
      await page.goto(address + path);
    }
    await before?.(page);
    await page.waitForTimeout(PAUSE_MS);
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

/** Reads again if a new document has replaced the touched one. */
async function answered(page: Page): Promise<number> {
  const read = () => page.evaluate(() => window.answered);
  return read().catch(read);
}
