import type { Page } from 'playwright-core';

/** A person does not act in the instant in which a page is there; a test would, before its script has come. */
export function waitForScript(page: Page): void {
  const goTo = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const tookOver = async () => {
    // A touch calls the script even where the test has stopped the clock.
    await page.evaluate(() => dispatchEvent(new Event('pointerdown')));
    // The outermost element is the last that React takes over, and does so in slices.
    await page.waitForFunction(() => {
      const outermost = document.querySelector('#root > *');
      return !outermost || Object.keys(outermost).some((key) => key.startsWith('__reactFiber'));
    });
  };
  page.goto = async (url, options) => {
    const response = await goTo(url, options);
    await tookOver();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await tookOver();
    return response;
  };
}
