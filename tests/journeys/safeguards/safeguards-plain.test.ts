/** The Safeguards check in a browser without script, and its report by email. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { answerAll, seeResult, shownQuestions } from '../../support/safeguards-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('the Safeguards check on a $name', (screen) => {
  const browser = useBrowser();
  let mailbox: Mailbox;
  let app: TestApp;
  beforeAll(async () => {
    mailbox = await Mailbox.start();
    app = await startTestApp(mailbox.variables);
  });
  afterAll(async () => {
    await app.stop();
    await mailbox.stop();
  });

  async function withoutScript(): Promise<Page> {
    const scripted = await browser.open(screen);
    const page = await scripted
      .context()
      .browser()
      ?.newPage({ javaScriptEnabled: false, viewport: screen });
    if (!page) throw new Error('no browser');
    await page.goto(`${app.address}/safeguards-check`);
    return page;
  }

  test('without script goes on by links, is answered by a page, and mails its report', async () => {
    const page = await withoutScript();
    const shown = (label: string) =>
      page.getByRole('radio', { name: label, exact: true }).filter({ visible: true }).first();
    await shown('Fewer than 5,000').check();
    if (screen.name === 'phone') {
      expect(await shownQuestions(page)).toBe(1);
      await page.getByRole('link', { name: 'Next' }).filter({ visible: true }).click();
      await page.getByText('Question 1 of 20').filter({ visible: true }).waitFor();
      expect(await shownQuestions(page)).toBe(1);
    }
    await shown('No').check();
    await page.goto(`${page.url().split('#')[0]}#finish`);
    await page
      .getByText('so our server works out the result')
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(
      await page
        .getByRole('button', { name: 'Clear my answers' })
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    await page
      .getByRole('button', { name: 'See the result' })
      .filter({ visible: true })
      .first()
      .click();
    await page.getByText('1 missing, 7 not known, 2 not required').waitFor();
    await expect.poll(() => page.url()).toBe(`${app.address}/safeguards-check`);
    await page.getByRole('heading', { name: 'Change your answers' }).waitFor();
    expect(await page.locator('input[type=radio][name="individual"][value="no"]').isChecked()).toBe(
      true,
    );
    const email = `plain-${screen.name}@fox.example`;
    await page.getByRole('form', { name: 'Email me this report' }).getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Email the report' }).click();
    await page.getByText('The report is on its way to you.').waitFor();
    await page.getByText('1 missing, 7 not known, 2 not required').waitFor();
    await eventually(() => expect(mailbox.to(email)).toHaveLength(1));
    await page.close();
  });

  test('with script mails the report, and says at the field what is wrong', async () => {
    const page = await browser.open(screen, { expectComplaints: /status of 4(00|29)/ });
    await page.goto(`${app.address}/safeguards-check`);
    await answerAll(page, 'partly');
    await seeResult(page);
    const form = page.getByRole('form', { name: 'Email me this report' });
    const field = form.getByLabel('Email');
    const send = form.getByRole('button', { name: 'Email the report' });
    for (const wrong of ['', 'dana', 'dana@fox']) {
      await field.fill(wrong);
      await send.click();
      await form.getByText('Please enter a valid email address').waitFor();
      expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    }
    await expectAccessible(page);
    const email = `dana-${screen.name}@fox.example`;
    for (const times of [1, 2, 3]) {
      await field.fill(email);
      await send.click();
      await form.getByText(`The report is on its way to ${email}.`).waitFor();
      await eventually(() => expect(mailbox.to(email)).toHaveLength(times));
    }
    await send.click();
    await form.getByText('Several reports were sent to this email address today.').waitFor();
  });
});
