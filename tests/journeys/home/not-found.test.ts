/** The 404 page redirects to the home page unless the visitor chooses to stay. */
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('the 404 page on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  async function open() {
    const page = await browser.open(screen, { allowErrors: /status of 404/ });
    await page.clock.install();
    // Before the countdown can begin.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goto(`${app.address}/nowhere`);
    const left = page.getByText(/Taking you to the home page in \d/);
    const runFor = async (seconds: number) => {
      for (let i = 0; i < seconds; i += 1) await page.clock.runFor(1_000);
    };
    return { page, left, runFor };
  }

  test('redirects home after 5 seconds, which pause while a link has the focus', async () => {
    const { page, left, runFor } = await open();
    await left.waitFor();
    const seconds = Number.parseInt((await left.textContent())?.split('in ')[1] ?? '', 10);
    await runFor(1);
    const words = `in ${seconds - 1} second`;
    await expect.poll(() => left.textContent()).toContain(words);
    const home = page.getByRole('link', { name: 'Return to Home' });
    await page.keyboard.press('Tab');
    await home.focus();
    await runFor(20);
    expect(await left.textContent()).toContain(words);
    await home.blur();
    await runFor(seconds - 1);
    await page.waitForURL(`${app.address}/`);
  });

  test('does not redirect a visitor who presses Stay here', async () => {
    const { page, left, runFor } = await open();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByText('You’re staying on this page.').waitFor();
    await page.mouse.move(5, 5);
    await runFor(20);
    expect([page.url(), await left.count()]).toEqual([`${app.address}/nowhere`, 0]);
  });
});
