import type { Page, Route } from 'playwright-core';

export interface ScreenState {
  name: string;
  path: string;
  /** Buttons and links of the specification, by their names. */
  controls?: readonly string[];
  /** Before the page is asked for, such as a call that shall fail. */
  before?: (page: Page) => Promise<unknown>;
  /** What the visitor does once the page is there. */
  act?: (page: Page) => Promise<unknown>;
  /** What the console says about a state that is a failure. */
  complaints?: RegExp;
  /** What fails gives up the room that was kept for it, or what comes late stands above the rest: things move. */
  moves?: true;
  /** A state that exists on these widths only. */
  widths?: readonly number[];
  /** Pictured in the dark theme as well. */
  dark?: true;
  /** A selector of what of the page this state is about, where another one shows the rest. */
  concerns?: string;
  /** It stands before the page: pictured as it is on the screen, not with the whole page. */
  inFront?: true;
}

/** The three lists of the catalogue. */
const LISTS = /\/api\/(services|solutions|plans)$/;

export function neverAnswered(page: Page): Promise<unknown> {
  return page.route(LISTS, () => new Promise(() => undefined));
}

/** `times` without end when not given. */
export function refused(page: Page, times?: number): Promise<unknown> {
  const refuse = (route: Route) => route.fulfill({ status: 500, body: '' });
  return page.route(LISTS, refuse, times ? { times } : {});
}

/** On the not-found page, which would leave by itself. */
export async function stay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stay here' }).click();
}

/** Brings a state onto the screen of a new visitor, and waits until nothing moves. */
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
