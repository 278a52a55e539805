/** A dealership finds out where it stands: one question at a time on a phone, all of them on a desk, and nothing is sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import {
  answerAll,
  answerAndGoOn,
  FIRST,
  LAST,
  question,
  seeResult,
  shownQuestions,
} from '../../support/safeguards-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('the Safeguards check on a $name', (screen) => {
  const browser = useBrowser();
  const onPhone = screen.name === 'phone';
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  async function openCheck() {
    const page = await browser.open(screen);
    await page.goto(`${app.address}/safeguards-check`);
    return page;
  }

  test('is answered, shows what is missing with its paragraph, and sends nothing', async () => {
    const page = await openCheck();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' || request.url().includes('mfa')) sent.push(request.url());
    });
    expect(await shownQuestions(page)).toBe(onPhone ? 1 : 21);
    await expectAccessible(page);
    await answerAll(page, 'no');
    if (!onPhone) await page.getByText('21 of 21 answered').waitFor();
    await page.getByLabel('Name on the printed report').fill('Fox <b>Motors</b>');
    await seeResult(page);
    const heading = page.getByRole('heading', { name: 'Safeguards self-check: Fox <b>Motors</b>' });
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByText('The nine elements and the notice: 10 missing.').waitFor();
    await page
      .getByText('This is a self-check, not legal advice.')
      .filter({ visible: true })
      .first()
      .waitFor();
    const first = page.getByRole('listitem').filter({ hasText: '3. Multi-factor authentication' });
    await first.getByText('314.4(c)(5)').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Missing' }).count()).toBe(10);
    expect(await shownQuestions(page)).toBe(0);
    await expectAccessible(page);
    expect(sent).toEqual([]);
  });

  test('prints on two pages, whatever was answered', async () => {
    const page = await openCheck();
    for (const answer of ['no', 'unsure', 'yes']) {
      await page.goto(`${app.address}/safeguards-check`);
      await answerAll(page, answer);
      await page
        .getByLabel('Name on the printed report')
        .fill('A long name of a group of stores in the north of Georgia and in Tennessee, Inc.');
      await seeResult(page);
      await expectPrintedPages(page, 2, answer);
      await page.evaluate(() => sessionStorage.clear());
    }
  });

  test('answers survive a reload, can be changed, and are cleared by a button', async () => {
    const page = await openCheck();
    await answerAll(page, 'yes');
    await seeResult(page);
    await page.getByText('10 in place').waitFor();
    await page.reload();
    await page.getByText('10 in place').waitFor();
    await page.getByRole('link', { name: 'Change my answers' }).click();
    await question(page, FIRST).waitFor();
    expect(await shownQuestions(page)).toBe(onPhone ? 1 : 21);
    await page.evaluate(() => {
      window.location.hash = 'q-individual';
    });
    await question(page, 'Does one named, qualified person')
      .getByLabel('No', { exact: true })
      .check();
    await page.evaluate(() => {
      window.location.hash = 'finish';
    });
    await seeResult(page);
    await page.getByText('9 in place, 1 missing').waitFor();
    await page.goBack();
    await page
      .getByRole('button', { name: 'Clear my answers' })
      .filter({ visible: true })
      .first()
      .click();
    expect(await page.locator('input[type=radio]:checked').count()).toBe(0);
    await page.reload();
    expect(await page.locator('input[type=radio]:checked').count()).toBe(0);
    await page
      .getByRole('button', { name: 'See the result' })
      .filter({ visible: true })
      .first()
      .click();
    await page
      .getByText('Please answer at least one question.')
      .filter({ visible: true })
      .first()
      .waitFor();
  });

  test('leads to a talk with the words filled in, to a quote, and to the prices', async () => {
    const page = await openCheck();
    await answerAll(page, 'no');
    await seeResult(page);
    const quote = page.getByRole('link', { name: 'Save a quote for Enterprise' });
    expect(await quote.getAttribute('href')).toBe('/checkout?plan=3#save-quote');
    expect(await page.getByRole('form', { name: 'Email me this report' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Talk to us about it' }).click();
    const message = page.getByLabel('Message', { exact: true });
    await expect
      .poll(() => message.inputValue())
      .toContain('Missing: A Qualified Individual; A written risk');
    await message.fill('');
    await page.reload();
    expect(await message.inputValue()).toBe('');
    await page.goto(`${app.address}/checkout?plan=3#save-quote`);
    await page.getByRole('dialog', { name: 'Save as a quote' }).waitFor();
  });

  // In this order the gate's plan gives each its screen (support/journey-plan.ts).
  test.runIf(!onPhone)('is answered by keyboard alone', async () => {
    const page = await openCheck();
    await question(page, FIRST).getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.getByText('2 of 21 answered').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 partly, 9 not known').waitFor();
  });

  test.runIf(onPhone)(
    'goes question by question, and back with the browser’s own button',
    async () => {
      const page = await openCheck();
      await answerAndGoOn(page, '5,000 or more');
      await page.getByText('Question 1 of 20').filter({ visible: true }).waitFor();
      await expect.poll(() => page.url()).toMatch(/#q-individual$/);
      await answerAndGoOn(page, 'Partly');
      await answerAndGoOn(page, 'No');
      await page.getByText('Question 3 of 20').filter({ visible: true }).waitFor();
      await page.goBack();
      await page.getByText('Question 2 of 20').filter({ visible: true }).waitFor();
      expect(
        await page
          .getByRole('radio', { name: 'No', exact: true })
          .filter({ visible: true })
          .isChecked(),
      ).toBe(true);
      await page.getByRole('link', { name: 'Back', exact: true }).filter({ visible: true }).click();
      await page.getByText('Question 1 of 20').filter({ visible: true }).waitFor();
      expect(await shownQuestions(page)).toBe(1);
      // Readers of the screen go on from the question.
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('q-individual');
      await page.evaluate(() => {
        window.location.hash = 'q-notice';
      });
      await question(page, LAST).waitFor();
      await answerAndGoOn(page, 'Not sure');
      await page.getByRole('heading', { name: 'See where you stand' }).waitFor();
      await seeResult(page);
      await page.getByText('17 questions have no answer and count as not known.').waitFor();
    },
  );
});
