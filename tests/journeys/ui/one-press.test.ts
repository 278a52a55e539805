/** A double click, two taps, and Enter or Space twice are one press: one call, row or dialog. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { CARDS, fillPayment, newEmail } from '../../support/checkout-steps.ts';
import { contactForm, fillIn } from '../../support/contact-steps.ts';
import { hasFocus } from '../../support/control-state.ts';
import { fillFields } from '../../support/fill-fields.ts';
import { insertSubmission } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { untilReady } from '../../support/wait-for-script.ts';
import { pressTwice, type Twice } from './press-twice.ts';

const PAUSES = [0, 120, 400];
const WAYS = ['mouse', 'touch', 'Enter', 'Space'] as const;
const TWICE: readonly Twice[] = PAUSES.flatMap((pause) => WAYS.map((way) => ({ pause, way })));
const SAMPLE: typeof TWICE = [
  { way: 'mouse', pause: 120 },
  { way: 'Enter', pause: 0 },
  { way: 'touch', pause: 0 },
  { way: 'Space', pause: 400 },
];
const TRIED = inject('everything') ? TWICE : SAMPLE;
/** Pressed again later, what a call has changed may be meant. */
const TRIED_ON_FORMS = inject('everything')
  ? TWICE.filter(({ pause }) => pause < 300)
  : SAMPLE.slice(1, 2);

describe.each(SCREENS)('a double press on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  /** The calls that change something, as they are sent. */
  function changesOf(page: Page): string[] {
    const sent: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'POST' && pathname !== '/api/update-plans') sent.push(pathname);
    });
    return sent;
  }

  test.each(TRIED_ON_FORMS)('sends a message once, by $way after $pause ms', async (twice) => {
    const page = await browser.visit(screen, app, '/');
    const sent = changesOf(page);
    const form = contactForm(page);
    await fillIn(page);
    await pressTwice(page, form.getByRole('button', { name: 'Send Message' }), twice);
    await page.getByText('Message Sent Successfully!').first().waitFor();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('');
    expect(await form.getByText('Name must be at least 2 characters').count()).toBe(0);
    expect(sent).toEqual(['/api/contact']);
  });

  test.each(TRIED_ON_FORMS)('saves a quote once, by $way after $pause ms', async (twice) => {
    const page = await browser.visit(screen, app, '/checkout?plan=2');
    const sent = changesOf(page);
    await page.getByRole('button', { name: 'Save as a quote' }).click();
    const dialog = page.getByRole('dialog');
    await fillFields(dialog, { Name: 'Ann Moore', Email: `ann.${Date.now()}@lakeside.example` });
    await pressTwice(page, dialog.getByRole('button', { name: 'Save quote' }), twice);
    await dialog.getByText(/Q-/).first().waitFor();
    expect(sent).toEqual(['/api/quotes']);
  });

  test.each(TRIED)('opens the payment form, by $way after $pause ms', async (twice) => {
    const page = await browser.visit(screen, app, '/checkout?plan=2');
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

  test.each(TRIED_ON_FORMS)(
    'takes a thread, and leaves it taken, by $way after $pause ms',
    async (twice) => {
      await app.database.db.deleteFrom('threads').execute();
      await insertSubmission(app);
      const page = await browser.visitAsStaff(screen, app, '/admin');
      const loaded = page.waitForResponse(/\/threads\/\d+$/);
      await page.getByRole('button', { name: 'View' }).first().click();
      await loaded;
      const sent = changesOf(page);
      await pressTwice(page, page.getByRole('button', { name: 'Take over' }), twice);
      await page.getByRole('button', { name: 'Release' }).waitFor();
      expect(sent.filter((path) => /\/assign/.test(path))).toHaveLength(1);
    },
  );

  const ways: readonly Twice['way'][] = screen.name === 'phone' ? ['touch'] : ['mouse', 'Enter'];
  test.each(ways)('buys one plan, by %s twice each time', async (way) => {
    const page = await browser.visit(screen, app, '/');
    const sent = changesOf(page);
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
    await press(page.getByRole('link', { name: 'Manage your plan' }));
    await page.getByText(/^Order O-/).waitFor();
    const paid = sent.filter((path) => /payment-intent|confirm/.test(path));
    expect(paid).toEqual(['/api/create-payment-intent', '/api/test-payments/confirm']);
    const { db } = app.database;
    const orders = db.selectFrom('orders').select('status').where('email', '=', email);
    expect(await orders.execute()).toEqual([{ status: 'paid' }]);
  });
});
