/**
 * No press on a page that is still loading on a slow phone is lost, doubled or misunderstood: controls × delays after the
 * first paint × input devices. The full run tries all combinations, the gate a sample.
 */
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { menu } from '../../support/move-steps.ts';
import { slowDown } from '../../support/slow-phone.ts';
import { DEMO, insertSubmission } from '../../support/staff-steps.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';
import { TIMEOUT_MS } from '../../support/test-plan.ts';
import { untilReady } from '../../support/wait-for-script.ts';

interface Control {
  name: string;
  path: string;
  asStaff?: boolean;
  /** Typed before the press, by label. */
  fields?: Record<string, string>;
  find(page: Page): Locator;
  /** The number of presses that took effect, as the page shows it; modulo two for a control that opens and closes. */
  shown(page: Page, app: TestApp): Promise<number>;
  /** The value of `shown` after this many presses. */
  expected(presses: number): number;
}

const toggles = (presses: number) => presses % 2;
const once = (presses: number) => Math.min(presses, 1);
/** A page that a press has left cannot be asked. */
const LED_AWAY = () => ({ reachedControl: true });
const visible = async (locator: Locator) => Number(await locator.isVisible());

const CONTROLS: readonly Control[] = [
  {
    name: 'the menu',
    path: '/',
    find: (page) => page.locator('header button[popovertarget]').first(),
    shown: (page) => visible(menu(page)),
    expected: toggles,
  },
  {
    name: 'the chat',
    path: '/news',
    find: (page) =>
      page
        .locator('button[aria-label="Chat with us"], button[aria-label="Close the chat window"]')
        .last(),
    shown: (page) => page.locator('[popover]:popover-open').count(),
    expected: toggles,
  },
  {
    name: 'the next slide',
    path: '/',
    find: (page) => page.getByRole('button', { name: 'Next slide' }),
    shown: (page) =>
      page
        .locator('figure[aria-roledescription="slide"]')
        .evaluateAll((all) => all.findIndex((each) => each.ariaHidden === 'false')),
    expected: (presses) => presses,
  },
  {
    name: 'the button to pay',
    path: '/checkout?plan=2',
    find: (page) => page.getByRole('button', { name: 'Proceed to Checkout' }),
    shown: (page) => visible(page.getByRole('dialog', { name: 'Complete Your Purchase' })),
    expected: once,
  },
  {
    name: 'the button of the contact form',
    path: '/',
    fields: { Name: 'Ann Moore', Email: 'ann@lakeside.example', Message: 'Please call me.' },
    find: (page) => page.locator('form[action="/contact"] button[type=submit]'),
    shown: async (_page, { database }) =>
      (await database.db.selectFrom('threads').select('id').execute()).length,
    expected: once,
  },
  {
    name: 'the sign-in button',
    path: '/admin-login',
    fields: { Username: DEMO.username, Password: DEMO.password },
    find: (page) => page.getByRole('button', { name: 'Sign in' }),
    shown: async (_page, { database }) =>
      (await database.db.selectFrom('sessions').select('accountId').execute()).length,
    expected: once,
  },
  {
    name: 'a message in the inbox',
    path: '/admin',
    asStaff: true,
    find: (page) => page.getByRole('button', { name: 'View' }).first(),
    shown: (page) => visible(page.getByRole('heading', { name: 'Submission Details' })),
    expected: once,
  },
];
const MOMENTS = [0, 100, 300, 600, 1_200, 1_500];
const WAYS = ['mouse', 'touch', 'keyboard'] as const;
const ALL = CONTROLS.flatMap((control) =>
  MOMENTS.flatMap((moment, m) =>
    WAYS.map((way, w) => ({ ...control, moment, way, presses: 1 + ((m + w) % 2) })),
  ),
);
/** Contains each control, delay and device at least once. */
const SAMPLE = ALL.filter((_, place) => place % 16 === 0);

describe('on a slow phone', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  beforeEach(async () => {
    for (const table of ['threads', 'sessions'] as const)
      await app.database.db.deleteFrom(table).execute();
  });

  async function openAtFirstPaint(path: string, asStaff = false): Promise<Page> {
    if (asStaff) await insertSubmission(app);
    const as = asStaff ? await app.staff() : app.visitor();
    const page = await browser.visit(SCREENS[1], app, '/robots.txt', { as });
    await slowDown(page);
    await page.evaluate((address) => window.location.assign(address), path);
    await page.waitForURL(app.address + path, { waitUntil: 'commit' });
    await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0,
    );
    return page;
  }

  /** Throws if another control got the press. */
  async function press(page: Page, control: Locator, way: (typeof WAYS)[number]): Promise<void> {
    if (way === 'keyboard') {
      await control.focus();
      const pressed = await control.evaluateHandle((each) => {
        // Under a dialog that has opened it gets no focus, and the key would be the dialog's.
        if (each !== document.activeElement) throw new Error('it has no focus');
        const key = { reachedControl: false };
        const see = ({ target }: Event) => {
          key.reachedControl = target === each;
        };
        window.addEventListener('keydown', see, { capture: true, once: true });
        return key;
      });
      await page.keyboard.press('Enter');
      // What the first press opens can still take the focus in between.
      const { reachedControl } = await pressed.jsonValue().catch(LED_AWAY);
      if (!reachedControl) throw new Error('another element received the key');
      return;
    }
    await control.scrollIntoViewIfNeeded();
    const box = await control.boundingBox();
    if (!box) throw new Error('it has no place');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return way === 'mouse' ? page.mouse.click(x, y) : page.touchscreen.tap(x, y);
  }

  test.each(inject('everything') && inject('engine') === 'sqlite' ? ALL : SAMPLE)(
    '$name acts on $presses presses by $way $moment ms after the first paint',
    async ({ path, asStaff, fields, find, shown, expected, moment, way, presses }) => {
      const page = await openAtFirstPaint(path, asStaff);
      await page.waitForTimeout(moment);
      for (const [label, text] of Object.entries(fields ?? {}))
        await page.locator('main').getByLabel(label).fill(text);
      const control = find(page);
      const pressOnce = async () => {
        // A disabled control cannot be pressed.
        if (!(await control.isEnabled())) return 0;
        await press(page, control, way);
        return 1;
      };
      let pressed = await pressOnce();
      if (presses > 1) {
        // The first press may have removed the control.
        page.setDefaultTimeout(5_000);
        pressed += await pressOnce().catch(() => 0);
        page.setDefaultTimeout(TIMEOUT_MS);
      }
      await untilReady(page);
      await expect.poll(() => shown(page, app)).toBe(expected(pressed));
      // Until a doubled request would have reached the server.
      await page.waitForTimeout(fields ? 1_500 : 300);
      expect(await shown(page, app)).toBe(expected(pressed));
    },
  );

  test.each([
    { path: '/', field: 'Message' },
    { path: '/safeguards-check#finish', field: 'store' },
  ])(
    'text typed into $field on $path right after the first paint is kept',
    async ({ path, field }) => {
      const page = await openAtFirstPaint(path);
      const typed = page.locator('main form').locator(`[name="${field.toLowerCase()}"]`).first();
      // A phone shows one step of the check at a time, this one once it is all there.
      await typed.waitFor();
      await typed.focus();
      await page.keyboard.type('Our phones are down', { delay: 20 });
      await untilReady(page);
      await expect.poll(() => typed.inputValue()).toBe('Our phones are down');
    },
  );
});
