import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { overlap } from '../../support/boxes.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { openChat, panelOf, sendFirst } from '../../support/chat-window.ts';
import { fillIn } from '../../support/contact-steps.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';
import { stopClock } from './stop-clock.ts';

const FAILED_CALL = { allowErrors: /Failed to load resource/ };

/** Sends a contact message, whose call fails. */
async function failContact(page: Page) {
  await page.route('**/api/contact', (route) => route.abort());
  await fillIn(page);
  await page.getByRole('button', { name: 'Send Message' }).click();
}

const app = sharedTestApp();

describe.each(SCREENS)('a toast on a $name', (screen) => {
  const browser = sharedBrowser();

  const region = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' });

  /** Opens a page with the toast that a log-out left, and a clock that only the test moves. */
  async function showToast(options = {}) {
    const page = await browser.open(screen, options);
    await stopClock(page);
    await page.addInitScript(() => {
      if (!sessionStorage.getItem('shown'))
        sessionStorage.setItem('toast', '{"title":"Logged out"}');
      sessionStorage.setItem('shown', 'yes');
    });
    await page.goto(`${app.address}/contact`);
    await page.clock.runFor(200);
    const toast = region(page).getByText('Logged out');
    await toast.waitFor();
    return { page, toast };
  }

  variant('stays while the pointer is on it, and disappears 5 s after', async () => {
    const { page, toast } = await showToast();
    await toast.hover();
    await page.clock.runFor(20_000);
    expect(await toast.isVisible()).toBe(true);
    await page.mouse.move(20, 600);
    await page.clock.runFor(5_500);
    await toast.waitFor({ state: 'detached' });
  });

  test('gets the focus by F8, and then stays until it is closed', async () => {
    const { page, toast } = await showToast();
    await page.keyboard.press('F8');
    expect(await region(page).evaluate((each) => each.contains(document.activeElement))).toBe(true);
    await page.clock.runFor(20_000);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Close notification');
    await page.keyboard.press('Enter');
    await toast.waitFor({ state: 'detached' });
    expect(await region(page).evaluate((each) => each === document.activeElement)).toBe(true);
  });

  variant('disappears when swiped 60 px to the right, but not 40 px', async () => {
    const { page, toast } = await showToast();
    const box = await toast.boundingBox();
    const [startX, startY] = [(box?.x ?? 0) + 70, (box?.y ?? 0) + 10];
    async function swipe(x: number) {
      await page.mouse.move(startX, startY);
      await page.mouse.down();
      await page.mouse.move(startX + x / 2, startY, { steps: 4 });
      await page.mouse.move(startX + x, startY, { steps: 4 });
      await page.mouse.up();
    }
    await swipe(40);
    await expect.poll(() => toast.count()).toBe(1);
    await swipe(60);
    await toast.waitFor({ state: 'detached' });
  });

  test('covers neither the error at the form, nor the pressed button, nor the chat button', async () => {
    const page = await browser.visit(screen, app, '/', FAILED_CALL);
    await failContact(page);
    const toast = region(page).getByRole('listitem').filter({ hasText: 'Form Submission Error' });
    // Keeps it open.
    await toast.hover();
    const form = page.locator('form[action="/contact"]');
    for (const needed of [
      form.getByRole('alert'),
      form.getByRole('button', { name: 'Send Message' }),
      page.getByRole('button', { name: 'Chat with us' }),
    ])
      expect(await overlap(toast, needed)).toBe(false);
  });

  variant('that appears while a dialog is open is shown and closed inside it', async () => {
    const page = await browser.visit(screen, app, '/checkout?plan=2', FAILED_CALL);
    const release = await holdRequests(page, '**/api/teams-chat', (route) => route.abort());
    await openChat(page);
    await sendFirst(page, 'Hello');
    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    await page.getByRole('button', { name: 'Save as a quote' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as a quote' });
    await dialog.waitFor();
    // Everything outside the dialog is inert, live regions too.
    const announced = dialog.getByRole('status').filter({ hasText: 'Message Error' }).waitFor();
    release();
    await announced;
    await dialog.getByText('Message Error').first().hover();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close notification' }).click();
    await page.getByText('Message Error').waitFor({ state: 'detached' });
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('F8');
    expect(await region(page).evaluate((each) => each.contains(document.activeElement))).toBe(true);
  });
});
