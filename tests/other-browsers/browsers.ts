// biome-ignore-all lint/performance/useDomNodeTextContent: only rendered text counts.
/** Firefox and WebKit behind one small interface, so that their journeys are written once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import puppeteer, { ElementHandle } from 'puppeteer-core';
import { Builder, Key, type WebElement } from 'selenium-webdriver';
import { expect, vi } from 'vitest';
import { FIREFOX, hasFirefox, hasWebKit, WEBKIT_DRIVER, XVFB } from '../support/find-browser.ts';
import { freePort } from '../support/free-port.ts';
import { TIMEOUT_MS } from '../support/test-plan.ts';
import { tied } from '../support/tied.ts';

/** What a person does with a page. Clicks and reads wait for their target. */
export interface BrowserPage {
  open(address: string): Promise<void>;
  back(): Promise<void>;
  /** In pixels. */
  resize(width: number, height: number): Promise<void>;
  address(): Promise<string>;
  /** Clicks the first visible and enabled control of this kind whose name starts with `name`. */
  click(kind: Kind, name: string): Promise<void>;
  /** Types into the focused element. */
  keys(text: string): Promise<void>;
  /** Replaces the field's text. */
  type(label: string, text: string): Promise<void>;
  reads(words: string): Promise<void>;
  close(): Promise<void>;
}

const KINDS = {
  button: 'button, summary',
  link: 'a[href]',
  field: 'input, textarea',
  tab: '[role=tab]',
};
type Kind = keyof typeof KINDS;

/** What differs between the two libraries. */
interface Driver
  extends Pick<BrowserPage, 'open' | 'back' | 'resize' | 'address' | 'keys' | 'close'> {
  /** Clicks the element that `find` returns; throws if there is none. */
  clickFound(selector: string, name: string): Promise<void>;
  /** The page's rendered text. */
  text(): Promise<string>;
  selectAll(): Promise<void>;
}

/** Runs in the page. */
function find(selector: string, name: string): HTMLElement | undefined {
  const nameOf = (each: HTMLElement) => {
    const titled = document.getElementById(each.getAttribute('aria-labelledby') ?? '');
    const isField = each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement;
    const named = titled ?? (isField ? each.labels?.[0] : undefined) ?? each;
    return each.getAttribute('aria-label') ?? named.innerText.trim();
  };
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (each) =>
      each.checkVisibility({ visibilityProperty: true }) &&
      !each.matches(':disabled, [aria-disabled=true], [type=range]') &&
      nameOf(each).startsWith(name),
  );
  if (!found) return undefined;
  found.scrollIntoView({ block: 'center', behavior: 'instant' });
  // A menu that has just opened covers the page for a moment, against double presses.
  const { left, top, width, height } = found.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return found.contains(hit) || hit?.contains(found) ? found : undefined;
}

const bodyText = () => document.body.innerText;

function selectAll(): void {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
}

function pageOf(driver: Driver): BrowserPage {
  const waitFor = <T>(act: () => Promise<T>) =>
    vi.waitFor(act, { timeout: TIMEOUT_MS, interval: 50 });
  const click = (kind: Kind, name: string) => waitFor(() => driver.clickFound(KINDS[kind], name));
  return {
    ...driver,
    click,
    async type(label, text) {
      await click('field', label);
      await driver.selectAll();
      await driver.keys(text);
    },
    reads: (words) => waitFor(async () => expect(await driver.text()).toContain(words)),
  };
}

/** Over WebDriver BiDi, which Firefox has built in. */
async function startFirefox(): Promise<BrowserPage> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    defaultViewport: { width: 1280, height: 800 },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  return pageOf({
    async open(address) {
      await page.goto(address);
    },
    // Puppeteer's goBack waits for a load, which Firefox's cache does not report.
    back: () => page.evaluate(() => window.history.back()),
    resize: (width, height) => page.setViewport({ width, height }),
    address: () => page.evaluate(() => window.location.href),
    async clickFound(selector, name) {
      const element = await page.evaluateHandle(find, selector, name);
      if (!(element instanceof ElementHandle)) throw new Error(`no ${selector} named ${name}`);
      await element.click();
    },
    keys: (text) => page.keyboard.type(text),
    text: () => page.evaluate(bodyText),
    selectAll: () => page.evaluate(selectAll),
    close: () => browser.close(),
  });
}

/** Over WebDriver, on a virtual display. */
async function startWebKit(): Promise<BrowserPage> {
  const screen = spawn(
    ...tied(XVFB, ['-terminate', '-displayfd', '1', '-screen', '0', '1280x900x24']),
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [number] = await once(screen.stdout, 'data');
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.TMPDIR,
    DISPLAY: `:${String(number).trim()}`,
    // WebKit then reports the language 'C', which is not a valid language tag.
    LANG: 'C.UTF-8',
  };
  const service = spawn(...tied(WEBKIT_DRIVER, [`--port=${port}`]), { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${url}/status`), { timeout: TIMEOUT_MS });
  const driver = await new Builder()
    .usingServer(url)
    .withCapabilities({ browserName: 'MiniBrowser' })
    .build();
  return pageOf({
    open: (address) => driver.get(address),
    back: () => driver.navigate().back(),
    async resize(width, height) {
      await driver.manage().window().setRect({ width, height });
    },
    address: () => driver.getCurrentUrl(),
    async clickFound(selector, name) {
      const element = await driver.executeScript<WebElement | null>(find, selector, name);
      if (!element) throw new Error(`no ${selector} named ${name}`);
      await element.click();
    },
    keys: (text) => driver.actions().sendKeys(text.replaceAll('\n', Key.ENTER)).perform(),
    text: () => driver.executeScript<string>(bodyText),
    selectAll: () => driver.executeScript<void>(selectAll),
    async close() {
      await driver.quit();
      service.kill();
    },
  });
}

/** The ones that are installed. */
export const OTHER_BROWSERS = [
  { name: 'Firefox', start: startFirefox, isHere: hasFirefox },
  { name: 'WebKit', start: startWebKit, isHere: hasWebKit },
].filter(({ isHere }) => isHere());
