/** Looks at screens at several widths: nothing cut off or overlapping, nothing for axe. */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { ACCESSIBLE, sharedBrowser } from '../support/browser.ts';
import { nextFrame } from '../support/next-frame.ts';
import { shiftsOf, watchShifts } from '../support/shifts.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { variant } from '../support/variant.ts';
import { focusRings, layoutFaults } from './layout-faults.ts';
import { type ScreenState, show } from './screen-state.ts';

const WIDTHS: readonly number[] = [390, 1280];
/** In the full run alone. */
const TABLET = 768;
/** Both in the full run, in turn in the gate. */
const THEMES: readonly ('light' | 'dark')[] = ['light', 'dark'];
/** The narrowest phone is checked in every run. */
const NARROWEST = 320;
const HEIGHT = 900;
/** The only two focus rings; the inset one is for elements whose box would clip it. */
const RINGS = ['solid 2px 3px', 'solid 2px -2px'];

/** Declares one test per screen. */
export function lookAt(screens: readonly ScreenState[]): void {
  const browser = sharedBrowser({ pictures: true });
  const app = sharedTestApp();

  const isVariant = (screen: ScreenState) => screen.variant === true;
  test.each(screens.filter((screen) => !isVariant(screen)))('$name', look);
  variant.each(screens.filter(isVariant))('$name', look);

  async function look(screen: ScreenState): Promise<void> {
    const everything = inject('everything');
    const themes = everything ? THEMES : THEMES.slice(screens.indexOf(screen) % 2).slice(0, 1);
    // What is in front covers the rest of the page.
    const within = everything && !screen.inFront ? undefined : screen.concerns;
    const usual = everything ? [...WIDTHS, TABLET] : WIDTHS;
    const widths = [...(screen.widths ?? usual), NARROWEST];
    const page = await browser.open(
      { name: screen.name, width: widths[0] ?? NARROWEST, height: HEIGHT },
      { allowErrors: screen.allowErrors },
    );
    await watchShifts(page);
    await show(screen, page, app.address);
    // Layout shifts matter most on a phone, where they move whole lines from under a thumb.
    const still = widths[0] === WIDTHS[0] && !screen.moves;
    const faults = still ? await shiftsOf(page) : [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.evaluate(nextFrame);
      const found = await page.evaluate(layoutFaults, within);
      // Once: what axe finds depends little on the width.
      if (width === widths[0]) found.push(...(await wrongIn(themes, page, within)));
      faults.push(...found.map((fault) => `${width} px: ${fault}`));
    }
    // Focus rings appear only after keyboard use.
    await page.keyboard.press('Tab');
    const rings = await page.evaluate(focusRings, within);
    expect(rings).not.toEqual([]);
    const otherRings = rings.filter((ring) => !RINGS.includes(ring));
    expect({ faults, otherRings }).toEqual({ faults: [], otherRings: [] });
  }
}

/** Accessible names that differ from the visible words. */
const ALSO = ['label-content-name-mismatch'];

/** Returns axe's findings; leaves the page in the last theme. */
async function wrongIn(themes: typeof THEMES, page: Page, within?: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    for (const { id, nodes } of await violations(page, ACCESSIBLE, { also: ALSO, within }))
      wrong.push(...nodes.map(({ html }) => `${id} in ${colorScheme}: ${html.slice(0, 120)}`));
  }
  return wrong;
}
