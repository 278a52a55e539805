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
  /** Layout shifts are expected: a failed part gives up its room, or late content comes above. */
  moves?: true;
  /** The only widths on which this state exists. */
  widths?: readonly number[];
  /** Also pictured in the dark theme. */
  dark?: true;
  /** Selector of the part to check, if another state covers the rest of the page. */
  concerns?: string;
  /** Not looked at in the gate, which sees its parts in other states or in the journeys. */
  variant?: true;
  /** Covers the page, so only the viewport is pictured. */
  inFront?: true;
}

/** The three lists of the catalogue. */
export const LISTS = /\/api\/(services|solutions|plans)$/;

/** Fails the lists `times` times, or always. */
export function refused(page: Page, times?: number): Promise<unknown> {
  const refuse = (route: Route) => route.fulfill({ status: 500, body: '' });
  return page.route(LISTS, refuse, times ? { times } : {});
}

/** Waits for visible words. */
export const see = (words: string) => (page: Page) =>
  page.getByText(words).filter({ visible: true }).first().waitFor();

/** Presses a button, and waits for words that appear then. */
export const press = (name: string, words?: string) => async (page: Page) => {
  await page.getByRole('button', { name }).filter({ visible: true }).first().click();
  if (words) await see(words)(page);
};

/** Opens the state as a new visitor, and waits for its controls and the end of animations. */
export async function show(
  { path, before, act, controls = [] }: ScreenState,
  page: Page,
  address: string,
): Promise<void> {
  await before?.(page);
  await page.goto(address + path);
  await act?.(page);
  for (const name of controls) await control(page, name).waitFor();
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
  );
}

/** The first visible control with exactly this name. */
function control(page: Page, name: string) {
  const exactly = { name, exact: true };
  return page
    .getByRole('button', exactly)
    .or(page.getByRole('link', exactly))
    .or(page.getByRole('tab', exactly))
    .filter({ visible: true })
    .first();
}
