/** Staff answer all who wait: at a desk without the mouse, on a phone with a thumb. */
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { hasFocus, isInView } from '../../support/control-state.ts';
import { insertSubmission, YESTERDAY } from '../../support/staff-steps.ts';
import { WITH_MAIL } from '../../support/stripe-shop.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const app = sharedTestApp(WITH_MAIL);
const [desk] = SCREENS;
const VISITORS = 3;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page) => page.getByLabel('Your answer');
const entries = (page: Page) => page.getByRole('log', { name: 'Entries' }).getByRole('listitem');
const isOpen = (page: Page, visitor: number) =>
  page
    .getByRole('heading', { name: `Visitor ${visitor} Submission Details`, exact: false })
    .waitFor();
const message = (page: Page) => page.getByRole('definition').filter({ hasText: 'Wi-Fi' });

describe('all messages', () => {
  const browser = sharedBrowser();
  beforeEach(async () => {
    await app.database.db.deleteFrom('threads').execute();
    for (let n = 1; n <= VISITORS; n += 1)
      await insertSubmission(app, { name: `Visitor ${n}`, createdAt: YESTERDAY + n * 1000 });
  });

  const answers = async () => {
    const all = app.database.db.selectFrom('entries').select('text').where('kind', '=', 'staff');
    return (await all.orderBy('threadId').execute()).map(({ text }) => text);
  };
  const expected = Array.from({ length: VISITORS }, (_, n) => `Answer to visitor ${n + 1}`);

  test('are searched from a row with one key', async () => {
    const page = await browser.visitAsStaff(desk, app, '/admin');
    await button(page, 'View').first().press('/');
    await expect.poll(() => hasFocus(page.getByLabel('Search'))).toBe(true);
    await page.keyboard.type('Visitor 2');
    await expect.poll(() => button(page, 'View').count()).toBe(1);
  });

  test('are answered one after the other with at most seven keys each', async () => {
    const page = await browser.visitAsStaff(desk, app, '/admin');
    let keys = 0;
    let most = 0;
    const press = async (...together: string[]) => {
      keys += together.length;
      await page.keyboard.press(together.join('+'));
    };
    const tabTo = async (control: Locator) => {
      while (!(await hasFocus(control))) await press('Tab');
    };
    await button(page, 'View').first().focus();
    await press('Enter');
    for (let visitor = 1; visitor <= VISITORS; visitor += 1) {
      await isOpen(page, visitor);
      await box(page).waitFor();
      await tabTo(box(page));
      await page.keyboard.type(`Answer to visitor ${visitor}`);
      await press('Control', 'Enter');
      await entries(page)
        .last()
        .getByText(/^Leaves in/)
        .waitFor();
      await expect.poll(() => hasFocus(box(page))).toBe(true);
      if (visitor < VISITORS) {
        await tabTo(button(page, 'Next'));
        await press('Enter');
      }
      most = Math.max(most, keys);
      keys = 0;
    }
    expect(await answers()).toEqual(expected);
    expect(most).toBeLessThanOrEqual(7);
    await expect.poll(() => button(page, 'Next').count()).toBe(0);
  });

  test('are answered on the next page, too, once this one is done', async () => {
    const page = await browser.visitAsStaff(desk, app, '/admin/orders');
    // As if a page had one row.
    await page.route(
      /\/api\/admin\/contacts/,
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: (await response.json()).slice(0, 1) });
      },
      { times: 1 },
    );
    await page.getByRole('link', { name: 'Inbox' }).click();
    await button(page, 'View').click();
    await isOpen(page, 1);
    await box(page).fill('Answer to visitor 1');
    await button(page, 'Send').click();
    await button(page, 'Next').click();
    await isOpen(page, 2);
  });

  test('are answered on a small phone with three taps each, and nothing is scrolled', async () => {
    const screen = { width: 360, height: 640 };
    const page = await browser.visitAsStaff({ name: 'phone', ...screen }, app, '/admin');
    const tap = async (control: Locator) => {
      await expect.poll(() => isInView(control)).toBe(true);
      await control.tap();
    };
    await tap(button(page, 'View').first());
    for (let visitor = 1; visitor <= VISITORS; visitor += 1) {
      await isOpen(page, visitor);
      await expect.poll(() => isInView(message(page))).toBe(true);
      await tap(box(page));
      // The keyboard takes half of the screen.
      await page.setViewportSize({ ...screen, height: Math.round(screen.height * 0.55) });
      await expect.poll(() => isInView(message(page))).toBe(true);
      await page.keyboard.type(`Answer to visitor ${visitor}`);
      await tap(button(page, 'Send'));
      await entries(page)
        .last()
        .getByText(/^Leaves in/)
        .waitFor();
      await page.setViewportSize(screen);
      if (visitor < VISITORS) await tap(button(page, 'Next'));
    }
    expect(await answers()).toEqual(expected);
    expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
  });
});
