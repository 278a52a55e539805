/** A visitor writes to us from the home page. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, type Screen, useBrowser } from '../../support/browser.ts';
import { hasFocus, isInView, isReallyDisabled } from '../../support/control-state.ts';
import { nextFrame } from '../../support/next-frame.ts';
import { stopClock } from '../../support/stop-clock.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const MAILTO = /mailto:/;

describe.each(SCREENS)('the contact form on a $name', (screen) => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    // Each journey comes from its own address, or the limit of 5 a minute would end them.
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  let visitors = 0;
  async function openForm(
    on: Screen,
    expectComplaints?: RegExp,
    prepare?: (page: Page) => Promise<void>,
  ) {
    const page = await browser.open(on, expectComplaints ? { expectComplaints } : {});
    await prepare?.(page);
    visitors += 1;
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': `10.20.${on.width % 256}.${visitors}` });
    await page.goto(app.address);
    const form = page.locator('form[action="/contact"]');
    await form.scrollIntoViewIfNeeded();
    return { page, form };
  }

  async function fillIn(page: Page) {
    const form = page.locator('form[action="/contact"]');
    await form.getByLabel('Name').fill('Ann Moore');
    await form.getByLabel('Email').fill('ann@lakeside.example');
    await form.getByLabel('Phone').fill('770.555.0134');
    await form.getByLabel('Service').selectOption({ label: 'VoIP Services' });
    await form.getByLabel('Message').fill('Our phones drop calls every afternoon.');
  }

  const toast = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' });
  const stored = () =>
    app.database.db.selectFrom('contactSubmissions').selectAll().orderBy('id').execute();

  test('a message is sent, thanked for and kept', async () => {
    const { page, form } = await openForm(screen);
    await fillIn(page);
    await form.getByRole('button', { name: 'Send Message' }).click();
    await toast(page).getByText('Message Sent Successfully!').waitFor();
    await toast(page)
      .getByText("Thank you for your message. We'll get back to you soon.")
      .waitFor();
    await expectAccessible(page);
    const row = (await stored()).at(-1);
    expect(row).toMatchObject({ name: 'Ann Moore', service: 'voip', phone: '770.555.0134' });
    await form.getByText(`C-${row?.id}`).waitFor();
    for (const field of ['Name', 'Email', 'Phone', 'Service', 'Message']) {
      expect(await form.getByLabel(field).inputValue()).toBe('');
    }
  });

  test('carries the two signs of a program: the hidden field, and the time that it took', async () => {
    const { page, form } = await openForm(screen, undefined, stopClock);
    await fillIn(page);
    await page.clock.runFor(1_200);
    await form.locator('[name=website]').evaluate((field: HTMLInputElement) => {
      field.value = 'https://x.example';
    });
    const request = page.waitForRequest('**/api/contact');
    await form.getByRole('button', { name: 'Send Message' }).click();
    const { website, fillMs } = (await request).postDataJSON();
    expect(website).toBe('https://x.example');
    expect(fillMs).toBeGreaterThanOrEqual(1_200);
    await toast(page).getByText('Message Sent Successfully!').waitFor();
    expect((await stored()).at(-1)?.mark).toBe('spam');
  });

  test('with the keyboard alone', async () => {
    const { page, form } = await openForm(screen);
    await form.getByLabel('Name').focus();
    for (const typed of [
      'Bo Li',
      'bo@garage.example',
      '',
      'internet',
      'A message of some length',
    ]) {
      await page.keyboard.type(typed);
      await page.keyboard.press('Tab');
    }
    expect(await form.getByLabel('Service').inputValue()).toBe('internet');
    await page.keyboard.press('Enter');
    await toast(page).getByText('Message Sent Successfully!').waitFor();
    await form.getByText('Message received.').waitFor();
    expect(await focused(page)).toBe('Send Message');
    await page.keyboard.press('F8');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await toast(page).getByText('Message Sent Successfully!').waitFor({ state: 'detached' });
  });

  test('faults are told at the fields, summed up with links, and gone when mended', async () => {
    const { page, form } = await openForm(screen);
    await form.getByLabel('Phone').fill('555-0134');
    await form.getByLabel('Message').fill('short');
    await form.getByLabel('Name').focus();
    await form.getByLabel('Email').focus();
    expect(await form.getByText('Name must be at least 2 characters').count()).toBe(0);

    await form.getByRole('button', { name: 'Send Message' }).click();
    for (const [field, fault] of [
      ['Name', 'Name must be at least 2 characters'],
      ['Email', 'Please enter a valid email address'],
      ['Phone', 'Please enter at least 10 digits for your phone number'],
      ['Message', 'Message must be at least 10 characters'],
    ] as const) {
      await form.getByText(fault, { exact: true }).waitFor();
      const control = form.getByLabel(field);
      expect(await control.getAttribute('aria-invalid')).toBe('true');
      expect(await description(page, await control.getAttribute('aria-describedby'))).toContain(
        fault,
      );
    }
    expect(await focused(page)).toContain('Please fix these fields:');
    await expectAccessible(page);
    expect(await form.getByLabel('Phone').inputValue()).toBe('555-0134');

    await form.getByRole('link', { name: 'Message' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('contact-message');
    await page.keyboard.type(' but longer now');
    await form.getByLabel('Phone').focus();
    await form.getByText('Message must be at least 10 characters').waitFor({ state: 'detached' });
    await form.getByText('Name must be at least 2 characters').waitFor();
  });

  test('what the server says is told, and nothing that was typed is lost', async () => {
    const { page, form } = await openForm(screen, /Failed to load resource/);
    await page.route('**/api/contact', (route) =>
      route.fulfill({
        status: 429,
        json: { message: 'Too many requests. Please try again in 42 seconds.' },
      }),
    );
    await fillIn(page);
    await form.getByRole('button', { name: 'Send Message' }).click();
    await toast(page).getByText('Form Submission Error').waitFor();
    await toast(page).getByText('Too many requests. Please try again in 42 seconds.').waitFor();
    await form.getByText('Too many requests.').waitFor();
    await expectAccessible(page);
    expect(await form.getByLabel('Message').inputValue()).toContain('every afternoon');
    await page.unroute('**/api/contact');
    await form.getByRole('button', { name: 'Send Message' }).click();
    await toast(page).getByText('Message Sent Successfully!').waitFor();
  });

  test.each([
    ['text', 502, 'The gateway is tired', 'The gateway is tired'],
    ['nothing', 502, '', 'Failed to submit the form'],
    ['nothing that can be read', 200, 'Welcome', 'Failed to receive response from server'],
  ] as const)('a failure that says %s', async (_, status, body, message) => {
    const { page, form } = await openForm(screen, /Failed to load resource/);
    await page.route('**/api/contact', (route) => route.fulfill({ status, body }));
    await fillIn(page);
    await form.getByRole('button', { name: 'Send Message' }).click();
    await toast(page).getByText(message).waitFor();
  });

  test('fields that only the server refuses are marked like the others', async () => {
    const { page, form } = await openForm(screen, /Failed to load resource/);
    const errors = [{ path: 'email', message: 'Please enter a valid email address' }];
    await page.route('**/api/contact', (route) =>
      route.fulfill({ status: 400, json: { message: errors[0]?.message, errors } }),
    );
    await fillIn(page);
    await form.getByRole('button', { name: 'Send Message' }).click();
    const summary = form.getByText('Please fix this field:');
    await summary.waitFor();
    const email = form.getByLabel('Email');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    // What only the server knows to be wrong stays so until it is changed.
    await email.press('Tab');
    await page.evaluate(nextFrame);
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    await email.fill('ann@garage.example');
    await email.press('Tab');
    await summary.waitFor({ state: 'detached' });
  });

  test('without the network', async () => {
    const { page, form } = await openForm(screen, /Failed to load resource/);
    await fillIn(page);
    await page.context().setOffline(true);
    await form.getByRole('button', { name: 'Send Message' }).click();
    await toast(page).getByText('Failed to receive response from server').waitFor();
    await form.getByText('You seem to be offline.').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('Ann Moore');
  });

  test('while it is sent the button says so and cannot be pressed; then it has the focus back', async () => {
    const { page, form } = await openForm(screen);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/contact', async (route) => {
      await held;
      await route.continue();
    });
    await fillIn(page);
    await form.getByRole('button', { name: 'Send Message' }).click();
    const sending = form.getByRole('button', { name: 'Sending...' });
    await sending.waitFor();
    expect(await isReallyDisabled(sending)).toBe(true);
    await expectAccessible(page);
    release();
    await toast(page).getByText('Message Sent Successfully!').waitFor();
    const outcome = form.getByText('Message received.');
    await outcome.waitFor();
    expect(await hasFocus(form.getByRole('button', { name: 'Send Message' }))).toBe(true);
    expect(await isInView(outcome)).toBe(true);
  });

  test('the debug panel shows the last submission, in this tab and until a reload', async () => {
    const { page, form } = await openForm(screen, MAILTO);
    const email = page.locator('#contact').getByRole('link', { name: 'hello@tidewell.example' });
    const panel = page.getByRole('heading', { name: 'Last Form Submission' });
    await form.getByLabel('Name').fill('Cy Dahl');
    await form.getByLabel('Email').fill('cy@dahl.example');
    await form.getByLabel('Message').fill('Only what is needed');
    await form.getByRole('button', { name: 'Send Message' }).click();
    await toast(page).getByText('Message Sent Successfully!').waitFor();
    await email.dblclick();
    await panel.waitFor();
    expect(await hasFocus(panel)).toBe(true);
    await expect.poll(() => isInView(panel)).toBe(true);
    for (const text of [
      'Cy Dahl',
      'cy@dahl.example',
      'Not provided',
      'Not specified',
      'Only what is needed',
    ]) {
      await page.getByRole('definition').filter({ hasText: text }).last().waitFor();
    }
    await expectAccessible(page);
    const shown = page.locator('#contact').getByRole('button', { name: 'Close', exact: true });
    expect(await isInView(shown)).toBe(true);
    await shown.click();
    await panel.waitFor({ state: 'detached' });
    expect(await hasFocus(email)).toBe(true);
    await page.reload();
    await email.dblclick();
    await page.getByText('Nothing has been sent from this tab yet.').waitFor();
    await email.dblclick();
    await panel.waitFor({ state: 'detached' });
  });
});

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}

function description(page: Page, ids: string | null): Promise<string> {
  return page.evaluate(
    (all) =>
      all
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    ids ?? '',
  );
}
