/** On a desktop, list and open message scroll apart, so that the message's row stays in sight. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { hasFocus, isInView } from '../../support/control-state.ts';
import { insertSubmission, YESTERDAY } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';
import { variant } from '../../support/variant.ts';

const LONG = 'The tablets in the service lane lose Wi-Fi.\n'.repeat(60);

describe('staff’s list of messages', () => {
  const browser = sharedBrowser();
  const [desk, phone] = SCREENS;
  const app = sharedTestApp();
  beforeAll(async () => {
    for (let n = 1; n <= 50; n += 1) {
      const createdAt = YESTERDAY + n * 1000;
      await insertSubmission(app, { name: `Visitor ${n}`, message: LONG, createdAt });
    }
  });

  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  const detail = (page: Page) => page.getByRole('heading', { name: 'Submission Details' });

  const box = (page: Page) => page.getByLabel('Your answer');
  /** What scrolls between the head and the box. */
  const conversation = (page: Page) => page.locator('[data-scrolls]');
  const expectInSight = (locator: Locator) => expect.poll(() => isInView(locator)).toBe(true);

  variant('opens no message when text in a row is selected', async () => {
    const page = await browser.visitAsStaff(desk, app, '/admin');
    const address = row(page, 'Visitor 50').getByText('dana@example.com');
    await address.hover({ position: { x: 2, y: 8 } });
    await page.mouse.down();
    await address.hover({ position: { x: 100, y: 8 } });
    await page.mouse.up();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('ana@exam');
    await expect.poll(() => detail(page).count()).toBe(0);
  });

  test('at a zoom of 400 % leaves a message more than a line to be read in', async () => {
    const zoomed = { name: 'zoomed', width: 320, height: 256 };
    const page = await browser.visitAsStaff(zoomed, app, '/admin?open=1');
    await box(page).waitFor();
    const height = () => conversation(page).evaluate(({ clientHeight }) => clientHeight);
    await expect.poll(height).toBeGreaterThanOrEqual(160);
    await box(page).focus();
    await expectInSight(box(page));
  });

  test('above a phone’s keyboard keeps Send in sight below a long answer', async () => {
    const low = { name: 'low', width: 390, height: 400 };
    const page = await browser.visitAsStaff(low, app, '/admin?open=1');
    await box(page).fill('One more line\n'.repeat(9));
    await expectInSight(page.getByRole('button', { name: 'Send', exact: true }));
  });

  test('on a desktop keeps the open row in sight while either pane scrolls', async () => {
    const page = await browser.visitAsStaff(desk, app, '/admin');
    await row(page, 'Visitor 3').getByText('dana@example.com').click();
    await detail(page).waitFor();
    const openRow = row(page, 'Visitor 3');
    await expectInSight(openRow);
    await page.mouse.move(800, 500);
    await page.mouse.wheel(0, 900);
    // Only the message scrolls.
    await expect
      .poll(() =>
        page
          .getByRole('definition')
          .first()
          .evaluate((each) => each.getBoundingClientRect().top),
      )
      .toBeLessThan(0);
    await expectInSight(detail(page));
    await expectInSight(openRow);
    await expectInSight(page.getByRole('heading', { name: 'Admin Dashboard' }));
    await row(page, 'Visitor 23').getByRole('button', { name: 'View' }).press('Enter');
    await expect.poll(() => hasFocus(conversation(page))).toBe(true);
    await expectInSight(row(page, 'Visitor 23'));
    await expectInSight(detail(page));
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
      .toBe(desk.height);
  });

  variant('on a phone begins high on the screen despite a failed notification', async () => {
    await saveDeliveries(app.database.db, [{ state: 'failed', createdAt: YESTERDAY }]);
    const page = await browser.visitAsStaff(phone, app, '/admin');
    await page.getByRole('button', { name: 'Show', exact: true }).waitFor();
    const at = async (name: string) => (await row(page, name).boundingBox()) ?? { y: 0, height: 0 };
    const [first, fifth] = [await at('Visitor 1'), await at('Visitor 5')];
    expect(first.y).toBeLessThan(300);
    expect(fifth.y + fifth.height).toBeLessThanOrEqual(phone.height);
  });

  test('on a phone comes back where it was left, by the button or by a key', async () => {
    const page = await browser.visitAsStaff(phone, app, '/admin');
    await row(page, 'Visitor 20').scrollIntoViewIfNeeded();
    const before = await row(page, 'Visitor 20').boundingBox();
    for (const close of [
      () => page.getByRole('button', { name: 'Close', exact: true }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await row(page, 'Visitor 20').getByText('dana@example.com').click();
      await detail(page).waitFor();
      await close();
      await row(page, 'Visitor 20').waitFor();
      expect(await row(page, 'Visitor 20').boundingBox()).toEqual(before);
    }
  });

  test.each([phone, { name: 'small phone', width: 360, height: 640 }])(
    'on a $name gives the screen to an open message, with its box and a way back',
    async (screen) => {
      const page = await browser.visitAsStaff(screen, app, '/admin');
      await row(page, 'Visitor 3').getByText('dana@example.com').click();
      await expectInSight(box(page));
      await expectInSight(detail(page));
      expect(await row(page, 'Visitor 3').isVisible()).toBe(false);
      const height = () => page.evaluate(() => document.documentElement.scrollHeight);
      expect(await height()).toBe(screen.height);
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await row(page, 'Visitor 3').waitFor();
    },
  );
});
