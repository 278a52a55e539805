/** A double click, two taps, and Enter or Space twice are one press: one call, row or dialog. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { contactForm, fillIn } from '../../support/contact-steps.ts';
import { hasFocus } from '../../support/control-state.ts';
import { fillFields } from '../../support/fill-fields.ts';
import { insertSubmission, openDetails } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const PAUSES = [0, 120, 400];
const WAYS = ['mouse', 'touch', 'Enter', 'Space'] as const;
const TWICE = PAUSES.flatMap((pause) => WAYS.map((way) => ({ pause, way })));
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

/** The events carry their times, so that a slow machine presses no slower. */
async function pressTwice(page: Page, control: Locator, { way, pause }: (typeof TWICE)[number]) {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error('it has no place');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await control.focus();
  const session = await page.context().newCDPSession(page);
  const now = Date.now() / 1000;
  const press = (timestamp: number) => {
    if (way === 'mouse')
      return (['mousePressed', 'mouseReleased'] as const).map((type) => {
        const button = { button: 'left', clickCount: 1 } as const;
        return session.send('Input.dispatchMouseEvent', { type, x, y, timestamp, ...button });
      });
    if (way === 'touch')
      return (['touchStart', 'touchEnd'] as const).map((type) => {
        const touchPoints = type === 'touchStart' ? [{ x, y }] : [];
        return session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
      });
    const key = { key: way === 'Space' ? ' ' : way, code: way, timestamp };
    const text = way === 'Space' ? ' ' : '\r';
    const windowsVirtualKeyCode = way === 'Space' ? 32 : 13;
    return [
      session.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        text,
        windowsVirtualKeyCode,
        ...key,
      }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', windowsVirtualKeyCode, ...key }),
    ];
  };
  const first = press(now);
  if (pause > 0) await page.waitForTimeout(pause);
  await Promise.all([...first, ...press(now + pause / 1000)]);
}

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
      await openDetails(page);
      const sent = changesOf(page);
      await pressTwice(page, page.getByRole('button', { name: 'Take over' }), twice);
      await page.getByRole('button', { name: 'Release' }).waitFor();
      expect(sent.filter((path) => /\/assign/.test(path))).toHaveLength(1);
    },
  );
});
