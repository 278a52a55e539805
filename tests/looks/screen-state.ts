import type { Page, Route } from 'playwright-core';

export interface ScreenState {
  name: string;
  path: string;
  /** Names of the buttons, links and tabs that the specification requires. */
  controls?: readonly string[];
  /** Preparation before the page is opened, such as a call that will fail. */
  before?: (page: Page) => Promise<unknown>;
  /** What the visitor does on the page. */
  act?: (page: Page) => Promise<unknown>;
  /** Expected console errors. */
  allowErrors?: RegExp;
  /** Layout shifts are expected: a failed part gives up its room, or late content appears above the rest. */
  moves?: true;
  /** The only widths on which this state exists. */
  widths?: readonly number[];
  /** Also pictured in the dark theme. */
  dark?: true;
  /** Selector of the part to check, if another state covers the rest of the page. */
  concerns?: string;
  /** Covers the page, so only the viewport is pictured. */
  inFront?: true;
}

/** The three lists of the catalogue. */
const LISTS = /\/api\/(services|solutions|plans)$/;

export function neverAnswered(page: Page): Promise<unknown> {
  return page.route(LISTS, () => new Promise(() => undefined));
}

/** Fails the lists `times` times, or always. */
export function refused(page: Page, times?: number): Promise<unknown> {
  const refuse = (route: Route) => route.fulfill({ status: 500, body: '' });
  return page.route(LISTS, refuse, times ? { times } : {});
}

/** Stops the not-found page's redirect. */
export async function stay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stay here' }).click();
}

/** Opens the state as a new visitor, and waits for animations to end. */
export async function show(
  { path, before, act }: ScreenState,
  page: Page,
  address: string,
): Promise<void> {
  await before?.(page);
  await page.goto(address + path);
  await act?.(page);
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
  );
}
