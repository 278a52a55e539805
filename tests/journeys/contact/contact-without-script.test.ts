/** A visitor without script, or before it has arrived, writes to us all the same. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('the contact form without script on a $name', (screen) => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('without script the browser sends the form, and a page answers', async () => {
    const page = await browser.open(screen, {
      script: false,
      expectComplaints: /400 \(Bad Request\)/,
    });
    await page.goto(app.address);
    await page.getByLabel('Name').fill('Di Ek');
    await page.getByLabel('Email').fill('di@ek.example');
    await page.getByLabel('Phone').fill('555');
    await page.getByLabel('Message').fill('Sent without any script');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByText('Please enter at least 10 digits for your phone number').waitFor();
    await expect.poll(() => page.url()).toBe(`${app.address}/contact`);
    expect(await page.getByLabel('Message').inputValue()).toBe('Sent without any script');
    await page.getByLabel('Phone').fill('');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByRole('heading', { name: 'Message Sent Successfully!' }).waitFor();
    expect(
      (
        await app.database.db.selectFrom('contactSubmissions').selectAll().orderBy('id').execute()
      ).at(-1),
    ).toMatchObject({ name: 'Di Ek', phone: null });
  });

  test('a page that answered a form is taken over by script where there is some', async () => {
    const page = await browser.open(screen, { expectComplaints: /400 \(Bad Request\)/ });
    await page.goto(app.address);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/(?!start|theme).+\.js/, async (route) => {
      await released;
      await route.continue();
    });
    await page.evaluate(() =>
      document.querySelector<HTMLFormElement>('form[action="/contact"]')?.submit(),
    );
    await page.waitForURL(`${app.address}/contact`);
    await page.getByText('Name must be at least 2 characters').waitFor();
    release();
    await page.waitForSelector(':root[data-ready]');
    await page.getByLabel('Name').fill('Ed Fox');
    await page.getByText('Name must be at least 2 characters').waitFor({ state: 'detached' });
    await expectAccessible(page);
  });
});
