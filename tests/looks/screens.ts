/** Every route in every main state, and how a visitor gets it onto the screen. */
import type { Page } from 'playwright-core';
import { CHECKOUT_SCREENS } from './checkout-screens.ts';
import { PUBLIC_SCREENS } from './public-screens.ts';
import type { ScreenState } from './screen-state.ts';
import { STAFF_SCREENS } from './staff-screens.ts';

/** The widths at which everything is looked at. */
export const WIDTHS = [390, 768, 1280, 1920] as const;
export const SOME_WIDTHS: readonly number[] = [390, 1280];
export type Theme = 'light' | 'dark';

export const SCREENS_TO_SEE: readonly ScreenState[] = [
  ...PUBLIC_SCREENS,
  ...CHECKOUT_SCREENS,
  ...STAFF_SCREENS,
];

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
