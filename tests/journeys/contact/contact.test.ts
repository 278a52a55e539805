/** A visitor writes to us from the home page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { contactForm, fillIn, focused, toast } from '../../support/contact-steps.ts';
import { hasFocus, isInView, isReallyDisabled } from '../../support/control-state.ts';
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

  const openForm = contactForm(browser, () => app.address);
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
    await page.keyboard.press('Enter');
    await toast(page).getByText('Message Sent Successfully!').waitFor({ state: 'detached' });
  });

  test('while it is sent the button says so and cannot be pressed; then it has the focus back', async () => {
    const { page, form } = await openForm(screen);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
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
