/**
 * Loads the pages on which most is pressed, over a fast and a slow line, with a fast and a slow
 * processor, with and without the page's script in turn.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { FLAGS } from '../support/browser-flags.ts';
import { findTestBrowser } from '../support/find-browser.ts';
import { SERVER, startProcess } from '../support/server-process.ts';
import { figure, median } from './measure.ts';
import { slowDown } from './slow-phone.ts';
import { type Loading, watchLoading } from './watch-loading.ts';

const RUNS = 9;
/** Until the last picture is painted, and the script has run. */
const SETTLED_MS = 5000;

export const PAGES = [
  { path: '/', buttons: ['Next slide', 'Continue with this plan'], blockingMs: 80 },
  { path: '/checkout?plan=2', buttons: ['Proceed to Checkout'], blockingMs: 50 },
];
/** `ms`: at most, from the first paint until the buttons can be pressed. */
export const CONDITIONS = [
  { where: 'a fast line', slower: { line: false, processor: false }, ms: 800 },
  { where: 'a slow line', slower: { line: true, processor: false }, ms: 1900 },
  { where: 'a slow processor', slower: { line: false, processor: true }, ms: 1600 },
  { where: 'a slow phone', slower: { line: true, processor: true }, ms: 3150 },
];

export async function benchLoading(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const site = await startProcess(SERVER, { PORT: '0', DATA_DIR: folder });
  const executablePath = findTestBrowser();
  const browser = await chromium.launch({ args: FLAGS, ...(executablePath && { executablePath }) });
  for (const page of PAGES) await compare(browser, site.address, page);
  await browser.close();
  await site.stop();
  rmSync(folder, { recursive: true });
}

async function compare(browser: Browser, address: string, page: (typeof PAGES)[number]) {
  for (const { where, slower, ms } of CONDITIONS) {
    const [loaded, plain]: [Loading[], Loading[]] = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      loaded.push(await load(browser, address, { ...page, slower, script: true }));
      plain.push(await load(browser, address, { ...page, slower, script: false }));
    }
    const of = (all: readonly Loading[], key: Exclude<keyof Loading, 'enabled'>) =>
      median(all.map((each) => each[key]));
    const on = `${page.path} on ${where}`;
    for (const button of page.buttons) {
      const waits = loaded.map(
        ({ enabled, firstPaint }) => (enabled[button] ?? 60_000) - firstPaint,
      );
      figure(`${on}: '${button}' after the first paint, ms`, median(waits), { atMost: ms });
    }
    const ratio = of(loaded, 'largestPaint') / of(plain, 'largestPaint');
    figure(`${on}: LCP, of that without script`, ratio, { atMost: 1.15 });
    figure(`${on}: total blocking time, ms`, of(loaded, 'blocking'), { atMost: page.blockingMs });
    figure(`${on}: layout shift`, of(loaded, 'layoutShift'), { atMost: 0.001 });
  }
}

interface Way {
  path: string;
  buttons: readonly string[];
  slower: { line: boolean; processor: boolean };
  script: boolean;
}

export async function load(browser: Browser, address: string, way: Way): Promise<Loading> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await slowDown(page, way.slower);
  // Routes in either case, since they cost time. A script that never arrives fails nothing.
  await page.route('**/assets/*.js', (route) =>
    way.script || route.request().url().includes('/theme.') ? route.continue() : undefined,
  );
  await page.addInitScript(watchLoading, way.buttons);
  await page.goto(address + way.path, { waitUntil: 'commit' });
  await page.waitForTimeout(SETTLED_MS * (way.slower.line ? 2 : 1));
  const loading = await page.evaluate(() => window.loading);
  await context.close();
  return loading;
}
