/** What a visitor on a slow phone gets of a page: its first picture, how much script, how soon it answers a finger. */
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { FLAGS } from '../support/browser-flags.ts';
import { findTestBrowser } from '../support/find-browser.ts';
import { askLighthouse, values } from './lighthouse.ts';
import { median } from './measure.ts';

/** All medians. */
export interface Visit {
  lcpMs: number;
  tbtMs: number;
  /** The slowest of what was touched, from the finger to the next picture; in steps of 8, and 16 for what took no longer. */
  inpMs: number;
  /** Script as gzip sends it: of a page that nobody touches, and of one whose menu, pictures and form were used. */
  untouchedKb: number;
  touchedKb: number;
}

const RUNS = 3;
/** Lighthouse's slow phone, as Chromium itself slows: 150 ms and 1.6 Mbit/s behind a processor of a quarter. */
const SLOWER_PROCESSOR = 4;
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1474.56 * 128,
  uploadThroughput: 675 * 128,
};
/** What comes by itself has come by then. */
const UNTOUCHED_MS = 10_000;
const BETWEEN_TOUCHES_MS = 500;
const LEAST_MS = 16;

export async function visit(url: string): Promise<Visit> {
  // Slowed as it loads, as in the visits below, and not reckoned from a quick load.
  const flags = ['--only-categories=performance', '--throttling-method=devtools'];
  // The carousel stands still: with Next.js its second picture, which comes after 8 s, would count as the largest.
  const reports = await askLighthouse(url, RUNS, flags, '--force-prefers-reduced-motion');
  const executablePath = findTestBrowser();
  const browser = await chromium.launch({ args: FLAGS, ...(executablePath && { executablePath }) });
  const touched: Touched[] = [];
  for (let run = 0; run < RUNS; run += 1) touched.push(await touch(browser, url));
  await browser.close();
  return {
    lcpMs: median(values(reports, 'largest-contentful-paint')),
    tbtMs: median(values(reports, 'total-blocking-time')),
    inpMs: median(touched.map(({ inpMs }) => inpMs)),
    untouchedKb: median(touched.map(({ untouchedKb }) => untouchedKb)),
    touchedKb: median(touched.map(({ touchedKb }) => touchedKb)),
  };
}

type Touched = Pick<Visit, 'inpMs' | 'untouchedKb' | 'touchedKb'>;

async function touch(browser: Browser, url: string): Promise<Touched> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  });
  const page = await slowPage(context);
  const scripts = weighScripts(page);
  await page.addInitScript(watchTouches);
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(UNTOUCHED_MS);
  const untouchedKb = await scripts();
  await tryOut(page);
  const inpMs = await page.evaluate(() => Number(document.documentElement.dataset.slowest));
  const touchedKb = await scripts();
  await context.close();
  return { inpMs: Math.max(inpMs, LEAST_MS), untouchedKb, touchedKb };
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR });
  return page;
}

/** Gives the kilobytes so far. */
function weighScripts(page: Page): () => Promise<number> {
  const weights = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
    const weight = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    weights.set(response.url(), weight);
  });
  return async () => {
    const known = await Promise.all(weights.values());
    return known.reduce((sum, each) => sum + each, 0) / 1000;
  };
}

/** Runs in the page. */
function watchTouches(): void {
  document.addEventListener('readystatechange', () => {
    document.documentElement.dataset.slowest ??= '0';
  });
  new PerformanceObserver((list) => {
    const { dataset } = document.documentElement;
    for (const entry of list.getEntries())
      if ((entry as PerformanceEventTiming & { interactionId: number }).interactionId > 0)
        dataset.slowest = `${Math.max(Number(dataset.slowest), entry.duration)}`;
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}

/** As a visitor would: the menu, two pictures on, and a message that arrives. */
async function tryOut(page: Page): Promise<void> {
  const touches: (() => Promise<void>)[] = [
    () => page.getByRole('button', { name: 'Open menu' }).tap(),
    () => page.getByRole('button', { name: 'Close menu' }).tap(),
    () => page.getByRole('button', { name: 'Next slide' }).tap(),
    () => page.getByRole('button', { name: 'Next slide' }).tap(),
    () => page.getByLabel('Name').tap(),
    () => page.getByLabel('Name').pressSequentially('Jo Doe', { delay: 80 }),
    () => page.getByLabel('Email').fill('jo@example.com'),
    () => page.getByLabel('Message').pressSequentially('Please call me.', { delay: 80 }),
    () => page.getByRole('button', { name: 'Send Message' }).tap(),
    () => page.getByText('Message received').waitFor(),
  ];
  for (const each of touches) {
    await each();
    await page.waitForTimeout(BETWEEN_TOUCHES_MS);
  }
}
