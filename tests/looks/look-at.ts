/** Looks at screens at every width: nothing cut, overlapping, out of sight, too pale to read or named otherwise than it reads. */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { ACCESSIBLE, type useBrowser } from '../support/browser.ts';
import { nextFrame } from '../support/next-frame.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { focusRings, layoutFaults } from './layout-faults.ts';
import { type ScreenState, show } from './screen-state.ts';
import { shiftsOf, watchShifts } from './shifts.ts';

/** The widths at which everything is looked at, and those of the gate. */
const WIDTHS: readonly number[] = [390, 768, 1280, 1920];
const SOME_WIDTHS: readonly number[] = [390, 1280];
/** The narrowest phone, on which nothing may scroll sideways either. */
const NARROWEST = 320;
const HEIGHT = 900;
/** One shape everywhere; drawn inside where its box would cut it off. */
const RINGS = ['solid 2px 3px', 'solid 2px -2px'];

/** Declares a test for each of the screens. */
export function lookAt(
  screens: readonly ScreenState[],
  browser: ReturnType<typeof useBrowser>,
): void {
  const app = sharedTestApp();

  test.each(screens)('$name', async (screen) => {
    // A phone, a desk and the narrowest; the full run looks at every width, and at letters twice as large.
    const everything = inject('everything');
    const usual = everything ? WIDTHS : SOME_WIDTHS;
    const widths = [...(screen.widths ?? usual), NARROWEST];
    const page = await browser.open(
      { name: screen.name, width: widths[0] ?? NARROWEST, height: HEIGHT },
      screen.complaints ? { expectComplaints: screen.complaints } : {},
    );
    await watchShifts(page);
    await show(screen, page, app.address);
    for (const name of screen.controls ?? []) await control(page, name).waitFor();
    // On a phone, where what moves takes the whole line from under a thumb.
    const still = widths[0] === SOME_WIDTHS[0] && !screen.moves;
    const faults = still ? await shiftsOf(page) : [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.evaluate(nextFrame);
      const found = await page.evaluate(layoutFaults);
      // Colours change with the theme and not with each width; axe takes longer than all the rest.
      if (everything || width === widths[0])
        found.push(
          ...(everything
            ? await wrongInBothThemes(page, ACCESSIBLE)
            : await wrongInBothThemes(page, READ, screen.concerns)),
        );
      faults.push(...found.map((fault) => `${width} px: ${fault}`));
    }
    if (everything) {
      await page.setViewportSize({ width: 1280, height: HEIGHT });
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      await page.evaluate(nextFrame);
      const found = await wrongInBothThemes(page, ACCESSIBLE);
      faults.push(...found.map((fault) => `twice as large: ${fault}`));
    }
    // The ring is for those who move by keyboard.
    await page.keyboard.press('Tab');
    const rings = await page.evaluate(focusRings);
    expect(rings).not.toEqual([]);
    const otherRings = rings.filter((ring) => !RINGS.includes(ring));
    expect({ faults, otherRings }).toEqual({ faults: [], otherRings: [] });
  });
}

/** One that is seen, by its name to the letter. */
function control(page: Page, name: string) {
  const exactly = { name, exact: true };
  return page
    .getByRole('button', exactly)
    .or(page.getByRole('link', exactly))
    .or(page.getByRole('tab', exactly))
    .filter({ visible: true })
    .first();
}

/** Too pale, or named otherwise than what stands on it. */
const READ = ['color-contrast', 'label-content-name-mismatch'];

/** What axe finds by these tags or rules; leaves the page in the dark theme. */
async function wrongInBothThemes(
  page: Page,
  runOnly: readonly string[],
  within?: string,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const { id, nodes } of await violations(page, runOnly, [], within))
      wrong.push(...nodes.map(({ html }) => `${id} in ${colorScheme}: ${html.slice(0, 120)}`));
  }
  return wrong;
}
