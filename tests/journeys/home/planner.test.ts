/** The planner on the home page: from a number of people to a plan, its price, and the checkout. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { monthlyTotal } from '../../support/checkout-steps.ts';
import { hasFocus } from '../../support/control-state.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const WRONG = 'Please enter a whole number from 1 to 250';

describe.each(SCREENS)('a visitor with the planner on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  const planner = (page: Page) => page.getByRole('form', { name: 'How many people?' });
  const slider = (page: Page) => page.getByRole('slider', { name: 'How many people?' });
  const number = (page: Page) => page.getByRole('spinbutton', { name: 'How many people?' });
  const proceed = (page: Page) => page.getByRole('button', { name: 'Continue with this plan' });
  const total = (page: Page) => planner(page).getByRole('status');
  const expectTotal = (page: Page, words: string) =>
    expect.poll(() => total(page).textContent()).toBe(`Monthly total with ${words}`);

  const unfoldAddOns = async (page: Page) => {
    const addOns = page.locator('summary').filter({ hasText: 'Microsoft 365 and cloud backup' });
    if (screen.name === 'phone') await addOns.click();
  };

  test('moves the slider with the keyboard, gets plan and total announced, chooses licenses and backup, and finds them on the checkout', async () => {
    const page = await browser.visit(screen, app, '/');
    await slider(page).focus();
    for (const [key, people, words] of [
      ['ArrowRight', '21', 'Enterprise for 21 people:$1,950.00'],
      ['ArrowLeft', '20', 'Professional for 20 people:$850.00'],
      ['Home', '1', 'Essential for 1 person:$450.00'],
      ['End', '250', 'Enterprise for 250 people:$1,950.00'],
    ] as const) {
      await page.keyboard.press(key);
      await expectTotal(page, words);
      await expect.poll(() => number(page).inputValue()).toBe(people);
    }
    expect(await total(page).getAttribute('aria-live')).toBe('polite');
    expect(await slider(page).getAttribute('aria-valuetext')).toBe('250 people');
    await planner(page).getByText('Above that, we confirm the fit in writing').waitFor();
    await expectAccessible(page, '#pricing');

    await number(page).fill('20');
    await unfoldAddOns(page);
    await page.getByRole('radio', { name: /Microsoft 365 E3/ }).check();
    await page.getByRole('checkbox', { name: /Cloud backup/ }).check();
    await expectTotal(page, 'Professional for 20 people:$1,669.00');
    await page.getByRole('radio', { name: /No Microsoft 365/ }).check();
    await expectTotal(page, 'Professional for 20 people:$850.00');
    await expect.poll(() => page.getByRole('checkbox', { name: /Cloud backup/ }).count()).toBe(0);
    await page.getByRole('radio', { name: /Business Premium/ }).check();
    await number(page).fill('43');
    await expectTotal(page, 'Enterprise for 43 people:$3,108.85');
    const address =
      '/checkout?plan=3&microsoft365=business_premium&ms365_users=43&cloud_backup=true';
    await proceed(page).click();
    await page.waitForURL(app.address + address);
    await expect.poll(() => monthlyTotal(page)).toBe('$3,108.85');
    await page.getByRole('radio', { name: /^Enterprise/, checked: true }).waitFor();
    await expect.poll(() => page.getByLabel('Users').inputValue()).toBe('43');
    await page.getByRole('checkbox', { name: /Cloud backup/, checked: true }).waitFor();
  });

  variant('who types an invalid number reads so, and cannot go on with it', async () => {
    const page = await browser.visit(screen, app, '/');
    await unfoldAddOns(page);
    await page.getByRole('radio', { name: /Business Standard/ }).check();
    for (const [typed, words] of [
      ['251', 'More than 250 people? Ask us for a quote'],
      ['99999999999999999999', 'More than 250 people? Ask us for a quote'],
      ['0020', WRONG],
      ['12.5', WRONG],
      ['0', WRONG],
    ] as const) {
      await number(page).fill('30');
      await expectTotal(page, 'Enterprise for 30 people:$2,325.00');
      await number(page).fill('');
      await number(page).pressSequentially(typed);
      await planner(page).getByText(words).waitFor();
      expect([typed, await total(page).textContent()]).toEqual([typed, 'Monthly total—']);
      expect(await planner(page).getByText('$375.00').isVisible()).toBe(false);
      await proceed(page).click();
      await expect.poll(() => hasFocus(number(page))).toBe(true);
      await page.keyboard.press('Enter');
    }
    await expect.poll(() => page.url()).toBe(`${app.address}/`);
    await expectAccessible(page, '#pricing');
    await number(page).fill('12');
    await expectTotal(page, 'Professional for 12 people:$1,000.00');
    await expect.poll(() => planner(page).getByText(WRONG).count()).toBe(0);
  });

  variant('is led to the contact form with more people than the planner knows', async () => {
    const page = await browser.visit(screen, app, '/');
    await number(page).fill('1200');
    await page.getByRole('link', { name: 'More than 250 people? Ask us for a quote' }).click();
    await expect.poll(() => page.url()).toBe(`${app.address}/#contact`);
  });

  variant('sees no planner without script, which could not follow its fields', async () => {
    const page = await browser.visit(screen, app, '/', { script: false });
    await page.getByRole('heading', { name: 'Transparent Pricing' }).waitFor();
    expect(
      await page.getByText('Monthly total', { exact: true }).filter({ visible: true }).count(),
    ).toBe(0);
  });

  test.runIf(screen.name === 'desk')(
    'keeps the number while the wheel scrolls the page',
    async () => {
      const page = await browser.visit(screen, app, '/');
      await number(page).fill('25');
      await number(page).hover();
      const before = await page.evaluate(() => scrollY);
      for (const turn of [100, -100]) {
        await page.mouse.wheel(0, turn);
        await expect.poll(() => page.evaluate(() => scrollY)).toBe(before + Math.max(0, turn));
        expect(await number(page).inputValue()).toBe('25');
        await number(page).focus();
      }
    },
  );

  variant('sees what the next cheaper plan costs, and may go on with that one', async () => {
    const page = await browser.visit(screen, app, '/');
    await expectTotal(page, 'Professional for 20 people:$850.00');
    await unfoldAddOns(page);
    await page.getByRole('radio', { name: /Business Premium/ }).check();
    await page.getByRole('checkbox', { name: /Cloud backup/ }).check();
    await number(page).fill('8');
    await expectTotal(page, 'Essential for 8 people:$665.60');
    await expect.poll(() => planner(page).getByText('a month less than').count()).toBe(0);
    await number(page).fill('23');
    await expectTotal(page, 'Enterprise for 23 people:$2,569.85');
    await planner(page)
      .getByText('Professional for 23 people')
      .locator('..')
      .getByText('$1,469.85')
      .waitFor();
    await planner(page)
      .getByText(
        '$1,100.00 a month less than Enterprise. Sized for about 20 users, without: Named account engineer; ',
      )
      .waitFor();
    await expectAccessible(page, '#pricing');
    await page.getByRole('button', { name: 'Continue with Professional' }).click();
    await page.waitForURL(/\/checkout\?plan=2&/);
    await expect.poll(() => monthlyTotal(page)).toBe('$1,469.85');
    await expect.poll(() => page.getByLabel('Users').inputValue()).toBe('23');
  });
});
