/** What a visitor reads whose message is not taken, and that nothing is lost. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { contactForm, fillIn, focused, toast } from '../../support/contact-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('when a message is not taken, the contact form on a $name', (screen) => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    // Each journey comes from its own address, or the limit of 5 a minute would end them.
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  const openForm = contactForm(browser, () => app.address);

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
    ['nothing', 502, '', 'Failed to submit the form'],
    ['it in plain text', 502, 'The gateway is tired', 'The gateway is tired'],
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
    await email.fill('ann@garage.example');
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
});

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
