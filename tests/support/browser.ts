/** Chromium for the journeys: one browser for the whole run, a clean context per test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { violations } from './axe.ts';
import { TEST_FLAGS } from './browser-flags.ts';
import { bodyFaults } from './call-bodies.ts';
import { findBrowser, findTestBrowser } from './find-browser.ts';
import type { TestApp } from './test-app.ts';
import { TIMEOUT_MS } from './test-plan.ts';
import type { Visitor } from './visitor.ts';
import { waitForScript } from './wait-for-script.ts';

/** The two screens of every journey. */
export const SCREENS = [
  { name: 'desk', width: 1280, height: 800 },
  { name: 'phone', width: 390, height: 844 },
] as const;
export interface Screen {
  name: string;
  width: number;
  height: number;
}

export interface BrowserForTests {
  /** Opens an empty page for a new visitor. Console errors and CSP violations fail the test. */
  open(screen: Screen, options?: Opening): Promise<Page>;
  /** Opens a page of the site for a new visitor. */
  visit(screen: Screen, site: Site, path: string, options?: Opening): Promise<Page>;
  /** Opens a page of the site for staff who have signed in. */
  visitAsStaff(screen: Screen, site: Site, path: string, options?: Opening): Promise<Page>;
}

type Site = Pick<TestApp, 'address' | 'staff'>;

interface Opening {
  /** Matches the errors that do not fail the test. */
  allowErrors?: RegExp;
  script?: boolean;
  /** The browser's time zone, such as Asia/Tokyo. */
  timeZone?: string;
  /** Gives the browser the cookies of this customer or member of staff. */
  as?: Visitor;
  /** The site to which paths are relative; that of `as` by default. */
  baseURL?: string;
}

export const ACCESSIBLE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What a browser of its own does, which a test file starts for itself. */
interface OwnBrowser {
  /** Loads pictures. */
  pictures?: true;
  /** Has a back/forward cache. */
  keepsPages?: true;
  /** A host that it cannot reach, as behind a company's filter. */
  blocked?: string;
  /** Shows text twice as large. */
  largeText?: true;
}

/** Opens and closes the browser around a file's tests; call it once per file. */
export function sharedBrowser(own?: OwnBrowser): BrowserForTests {
  let browser: Browser;
  let open: OpenPage[] = [];

  beforeAll(async () => {
    const executablePath = own?.keepsPages ? findBrowser() : findTestBrowser();
    browser = own
      ? await chromium.launch({
          args: [
            ...TEST_FLAGS,
            ...(own.blocked ? [`--host-resolver-rules=MAP ${own.blocked} ~NOTFOUND`] : []),
            ...(own.largeText ? ['--blink-settings=defaultFontSize=32'] : []),
          ],
          ...(own.keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
          ...(executablePath ? { executablePath } : {}),
        })
      : await chromium.connect(inject('browserUrl'));
  });
  afterAll(() => browser?.close());
  afterEach(async ({ task }) => {
    const errors = open.flatMap((each) => each.errors);
    if (errors.length > 0 || task.result?.state === 'fail') await keepEvidence(task, open);
    await Promise.all(open.map(({ context }) => context.close()));
    open = [];
    expect(errors).toEqual([]);
  });

  const openPage: BrowserForTests['open'] = async (
    { width, height },
    { allowErrors, script = true, timeZone, as, baseURL = as?.origin } = {},
  ) => {
    const context = await browser.newContext({
      ...(baseURL && { baseURL }),
      viewport: { width, height },
      hasTouch: width < 700,
      isMobile: width < 700,
      reducedMotion: 'reduce',
      javaScriptEnabled: script,
      ...(timeZone && { timezoneId: timeZone }),
    });
    if (inject('traced')) await context.tracing.start({ screenshots: true, snapshots: true });
    if (as) await signIn(context, as);
    if (script) context.on('page', waitForScript);
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    const errors: string[] = [];
    const trail = followTrail(context);
    const addError = (text: string) => {
      if (!allowErrors?.test(text)) errors.push(text);
    };
    page.on('console', (message) => {
      if (message.type() === 'error') addError(message.text());
    });
    context.on('request', (request) => errors.push(...bodyFaults(request)));
    page.on('pageerror', (error) => addError(String(error)));
    open.push({ context, errors, trail });
    return page;
  };
  const visit: BrowserForTests['visit'] = async (screen, { address }, path, options) => {
    const page = await openPage(screen, { baseURL: address, ...options });
    await page.goto(path);
    return page;
  };
  return {
    open: openPage,
    visit,
    visitAsStaff: async (screen, site, path, options) =>
      visit(screen, site, path, { as: await site.staff(), ...options }),
  };
}

async function signIn(context: BrowserContext, { cookies, origin }: Visitor): Promise<void> {
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })));
  if (cookies.has('session'))
    await context.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
}

interface OpenPage {
  context: BrowserContext;
  errors: string[];
  trail: readonly string[];
}

/** A page's requests, responses, messages and errors, in milliseconds since it was opened. */
function followTrail(context: BrowserContext): readonly string[] {
  const trail: string[] = [];
  const opened = performance.now();
  const note = (what: string) => trail.push(`${(performance.now() - opened).toFixed(0)} ${what}`);
  context.on('request', (request) => {
    if (request.isNavigationRequest() || request.resourceType() === 'fetch')
      note(`${request.method()} ${request.url()} ${request.postData() ?? ''}`);
  });
  context.on('response', (response) => {
    const bytes = response.headers()['content-length'];
    if (response.request().isNavigationRequest() || response.request().resourceType() === 'fetch')
      note(`${response.status()} ${response.url()} ${bytes} bytes`);
  });
  context.on('requestfailed', (request) =>
    note(`failed: ${request.url()} ${request.failure()?.errorText}`),
  );
  context.on('console', (message) => note(`console: ${message.text()}`));
  context.on('weberror', (thrown) => note(`thrown: ${thrown.error().stack}`));
  return trail;
}

/**
 * Saves a screenshot and the trail of each page that a failed test had open, and prints where.
 * Playwright's own trace costs a tenth of the run, so it is recorded only with a title filter, as
 * in the command that repeats a failure.
 */
async function keepEvidence(
  { id, name }: { id: string; name: string },
  open: readonly OpenPage[],
): Promise<void> {
  const folder = join('dist/failed', `${name.replaceAll(/\W+/g, '-').slice(0, 60)}-${id}`);
  mkdirSync(folder, { recursive: true });
  const traced = inject('traced');
  for (const [place, { context, trail }] of open.entries()) {
    writeFileSync(join(folder, `trail-${place}.txt`), trail.join('\n'));
    if (traced) await context.tracing.stop({ path: join(folder, `trace-${place}.zip`) });
    for (const page of context.pages())
      await page.screenshot({ path: join(folder, `page-${place}.png`) });
  }
  const trace = traced ? ' (npx playwright-core show-trace …)' : '';
  console.log(`Picture and trace of '${name}': ${folder}${trace}`);
}

const PALE = 'color-contrast';

/** What covers a page. */
const COVERS = 'dialog:modal, [role=dialog]:popover-open';

/**
 * Checks WCAG 2.2 A and AA with axe in what covers the page, or in the selector `part`; the gate
 * leaves whole pages and contrast to tests/looks.
 */
export async function expectAccessible(page: Page, part = COVERS): Promise<void> {
  const isGate = process.env.TEST_PLAN === 'gate';
  if (isGate && (await page.locator(part).count()) === 0) return;
  const without = inject('everything') ? [] : [PALE];
  const found = await violations(page, ACCESSIBLE, { without, within: part });
  expect(
    found.map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target).join(' | ')})`,
    ),
  ).toEqual([]);
}
