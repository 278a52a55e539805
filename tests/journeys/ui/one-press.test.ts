/** Two presses on the way to a plan are one: by mouse, touch, Enter or Space. */
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { CARDS, fillPayment, newEmail } from '../../support/checkout-steps.ts';
import { hasFocus } from '../../support/control-state.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { untilReady } from '../../support/wait-for-script.ts';
import { pressTwice, type Twice } from './press-twice.ts';

/** By Enter, in what buys a plan; by mouse, in every-press. */
const WAYS: readonly (Twice & { busyMs: number })[] = [
  { way: 'Space', pause: 400, busyMs: 0 },
  // A phone that takes long to show the form sees the second tap after that.
  { way: 'touch', pause: 0, busyMs: 700 },
  // Slower than a double press, but sooner than the form has stood for half a second.
  { way: 'Enter', pause: 510, busyMs: 0 },
];

describe.each(SCREENS)('a double press on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  test.each(WAYS)('opens the payment form, by $way after $pause ms', async (twice) => {
    const page = await browser.visit(screen, app, '/checkout?plan=2');
    await page.evaluate((busyMs) => {
      const work = () => {
        const end = performance.now() + busyMs;
        while (performance.now() < end);
      };
      document.addEventListener('beforetoggle', work, { capture: true, once: true });
    }, twice.busyMs);
    await pressTwice(page, page.getByRole('button', { name: 'Proceed to Checkout' }), twice);
    const dialog = page.getByRole('dialog', { name: 'Complete Your Purchase' });
    const name = dialog.getByLabel('Name on Card');
    await name.waitFor();
    await expect.poll(() => hasFocus(name)).toBe(true);
    expect(await name.inputValue()).toBe('');
    expect(await dialog.getByText('Please enter the name on your card').count()).toBe(0);
    // What is pressed next is a press of its own.
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => dialog.isVisible()).toBe(false);
  });

  test('buys one plan, pressed by Enter or touch each time', async () => {
    const way = screen.name === 'phone' ? 'touch' : 'Enter';
    const page = await browser.visit(screen, app, '/');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    const press = async (control: Locator) => {
      // A page that a press led to takes no other in its first moment.
      await page.waitForFunction(() => !document.documentElement.style.pointerEvents);
      await pressTwice(page, control, { way, pause: 120 });
    };
    const heading = page.getByRole('heading', { name: 'Professional' });
    const plan = page.getByRole('article').filter({ has: heading });
    // This page scrolls up while the next one is on its way.
    const pressed = Promise.withResolvers<void>();
    await page.route(/\/checkout\?plan=2/, async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await press(plan.getByRole('link', { name: 'Get Started', exact: true }));
    pressed.resolve();
    await page.waitForURL(/\/checkout\?plan=2/);
    await untilReady(page);
    await press(page.getByRole('button', { name: 'Proceed to Checkout' }));
    const email = newEmail('ann');
    await fillPayment(page, CARDS.good, email);
    await press(page.getByRole('button', { name: /^Pay \$850/ }));
    // The page that is left has such a link, too.
    await page.getByRole('heading', { name: 'You’re all set' }).waitFor();
    await press(page.getByRole('link', { name: 'Manage your plan' }));
    await page.getByText(/^Order O-/).waitFor();
    const paid = sent.filter((path) => /^\/api\/.*(payment-intent|confirm)/.test(path));
    expect(paid).toEqual(['/api/create-payment-intent', '/api/test-payments/confirm']);
    const { db } = app.database;
    const orders = db.selectFrom('orders').select('status').where('email', '=', email);
    expect(await orders.execute()).toEqual([{ status: 'paid' }]);
  });
});
