/** The Safeguards self-check: one question at a time on a phone, all of them on a desktop. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { hasFocus } from '../../support/control-state.ts';
import { eventually } from '../../support/eventually.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import { variant } from '../../support/variant.ts';

const FIRST = 'Do you keep customer information on 5,000 consumers or more?';

function question(page: Page, text: string) {
  return page.getByRole('group', { name: text });
}

function countVisibleQuestions(page: Page): Promise<number> {
  return page.getByRole('main').getByRole('group').filter({ visible: true }).count();
}

/** Answers every question with the form value `answer` and opens the last step. */
async function answerAll(page: Page, answer: string): Promise<void> {
  await page.evaluate((wanted) => {
    for (const radio of document.querySelectorAll<HTMLInputElement>('input[type=radio]')) {
      const scope = radio.name === 'consumers';
      if (radio.value === (scope ? 'yes' : wanted)) radio.click();
    }
  }, answer);
  await goTo(page, 'finish');
}

/** Opens a step: on a phone, each is a place in the page. */
async function goTo(page: Page, step: string): Promise<void> {
  await page.evaluate((id) => window.location.assign(`#${id}`), step);
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).filter({ visible: true }).click();
}

async function seeResult(page: Page): Promise<void> {
  await press(page, 'See the result');
  await page.getByRole('heading', { name: 'What to do first' }).waitFor();
}

describe.each(SCREENS)('the Safeguards check on a $name', (screen) => {
  const browser = sharedBrowser();
  const onPhone = screen.name === 'phone';
  const site = notifiedSite('all tests');

  const openCheck = (allowErrors?: RegExp) =>
    browser.visit(screen, site.app, '/safeguards-check', { allowErrors });

  test('shows what is missing with its paragraph, and sends no answers', async () => {
    const page = await openCheck();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' || request.url().includes('mfa')) sent.push(request.url());
    });
    expect(await countVisibleQuestions(page)).toBe(onPhone ? 1 : 21);
    await expectAccessible(page);
    await answerAll(page, 'no');
    if (!onPhone) await page.getByText('20 of 20 answered').waitFor();
    await page.getByLabel('Name on the printed report').fill('Fox <b>Motors</b>');
    await seeResult(page);
    const heading = page.getByRole('heading', { name: 'Safeguards self-check: Fox <b>Motors</b>' });
    await expect.poll(() => hasFocus(heading)).toBe(true);
    await page.getByText('The nine elements and the notice: 10 missing.').waitFor();
    const first = page.getByRole('listitem').filter({ hasText: '3. Multi-factor authentication' });
    await first.getByText('314.4(c)(5)').waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Missing' }).count()).toBe(10);
    expect(await countVisibleQuestions(page)).toBe(0);
    await expectAccessible(page);
    expect(sent).toEqual([]);
  });

  variant('prints on two pages, with the longest texts', async () => {
    const page = await openCheck();
    for (const answer of ['no', 'yes']) {
      await page.goto('/safeguards-check');
      await answerAll(page, answer);
      await page
        .getByLabel('Name on the printed report')
        .fill('A long name of a group of stores in the north of Georgia and in Tennessee, Inc.');
      await seeResult(page);
      await expectPrintedPages(page, 2, answer);
      await page.evaluate(() => sessionStorage.clear());
    }
  });

  variant('keeps answers across a reload, and lets the visitor change or clear them', async () => {
    const page = await openCheck();
    await answerAll(page, 'yes');
    await seeResult(page);
    await page.reload();
    await page.getByText('10 in place').waitFor();
    await page.getByRole('link', { name: 'Change my answers' }).click();
    await question(page, FIRST).waitFor();
    // Screen readers continue from there.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q-consumers');
    await goTo(page, 'q-individual');
    await question(page, 'Does one named, qualified person')
      .getByLabel('No', { exact: true })
      .check();
    await goTo(page, 'finish');
    await seeResult(page);
    await page.getByText('9 in place, 1 missing').waitFor();
    await page.goBack();
    await press(page, 'Clear my answers');
    await page.reload();
    await expect.poll(() => page.locator('input[type=radio]:checked').count()).toBe(0);
    await press(page, 'See the result');
    const refused = page.getByText('Please answer at least one question.');
    await refused.filter({ visible: true }).first().waitFor();
  });

  test('leads to the contact form with a draft message, and to a quote', async () => {
    const page = await openCheck();
    await answerAll(page, 'no');
    await seeResult(page);
    const quote = page.getByRole('link', { name: 'Save a quote for Enterprise' });
    expect(await quote.getAttribute('href')).toBe('/checkout?plan=3#save-quote');
    await page.getByRole('link', { name: 'Talk to us about it' }).click();
    const message = page.getByLabel('Message', { exact: true });
    await expect
      .poll(() => message.inputValue())
      .toContain('Missing: A Qualified Individual; A written risk');
    await message.fill('');
    await page.reload();
    await expect.poll(() => message.inputValue()).toBe('');
  });

  // The order matters: by it, support/journey-plan.ts runs each of these two on its screen.
  test.runIf(!onPhone)('can be answered with the keyboard alone', async () => {
    const page = await openCheck();
    await question(page, FIRST).getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.getByText('1 of 20 answered').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 partly, 9 not known').waitFor();
  });

  test.runIf(onPhone)(
    'shows one question at a time, and the browser’s back button returns to the last',
    async () => {
      const page = await openCheck();
      const answer = async (label: string) => {
        const radio = page.getByRole('radio', { name: label, exact: true });
        await radio.filter({ visible: true }).check();
        await page.getByRole('link', { name: 'Next' }).filter({ visible: true }).click();
      };
      const shows = (text: string) => page.getByText(text).filter({ visible: true }).waitFor();
      await answer('5,000 or more');
      await shows('Question 1 of 20');
      await answer('Partly');
      await answer('No');
      await shows('Question 3 of 20');
      await page.goBack();
      await shows('Question 2 of 20');
      const no = page.getByRole('radio', { name: 'No', exact: true }).filter({ visible: true });
      await expect.poll(() => no.isChecked()).toBe(true);
      await page.getByRole('link', { name: 'Back', exact: true }).filter({ visible: true }).click();
      await shows('Question 1 of 20');
      expect(await countVisibleQuestions(page)).toBe(1);
      // Screen readers continue from the question.
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('q-individual');
      await goTo(page, 'finish');
      await seeResult(page);
      await page.getByText('18 questions have no answer and count as not known.').waitFor();
    },
  );

  test('emails the report, and shows an error at the field', async () => {
    const page = await openCheck(/status of 4(00|29)/);
    await answerAll(page, 'partly');
    await seeResult(page);
    const form = page.getByRole('form', { name: 'Email me this report' });
    const field = form.getByLabel('Email');
    const send = form.getByRole('button', { name: 'Email the report' });
    await field.fill('dana');
    await send.click();
    await form.getByText('Please enter a valid email address').waitFor();
    await expect.poll(() => hasFocus(field)).toBe(true);
    await expectAccessible(page);
    const email = `dana-${screen.name}@fox.example`;
    await field.fill(email);
    await send.click();
    await form.getByText(`The report is on its way to ${email}.`).waitFor();
    await eventually(() => expect(site.mailbox.to(email)).toHaveLength(1));
    const { db } = site.app.database;
    await db.updateTable('mailRecipients').set({ mails: 10 }).where('email', '=', email).execute();
    await field.fill(email);
    await send.click();
    await form.getByText('Several emails were sent to this address today.').waitFor();
  });
});
