/** What visitors do at the Safeguards check. */
import type { Page } from 'playwright-core';

export const FIRST = 'Do you keep customer information on 5,000 consumers or more?';
export const LAST = 'Could you tell the FTC within 30 days';

/** The card of the question that begins so. */
export function question(page: Page, text: string) {
  return page.getByRole('group', { name: text });
}

/** Those that can be seen. */
export function shownQuestions(page: Page): Promise<number> {
  return page.getByRole('main').getByRole('group').filter({ visible: true }).count();
}

/** Answers the question that is shown, and goes on as on a phone. */
export async function answerAndGoOn(page: Page, answer: string): Promise<void> {
  await page.getByRole('radio', { name: answer, exact: true }).filter({ visible: true }).check();
  await page.getByRole('link', { name: 'Next' }).filter({ visible: true }).click();
}

/** Everything at once, and the last step. `answer`: as the form sends it. */
export async function answerAll(page: Page, answer: string): Promise<void> {
  await page.evaluate((wanted) => {
    for (const radio of document.querySelectorAll<HTMLInputElement>('input[type=radio]')) {
      const scope = radio.name === 'consumers';
      if (radio.value === (scope ? 'yes' : wanted)) radio.click();
    }
    window.location.hash = 'finish';
  }, answer);
}

export async function seeResult(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: 'See the result' })
    .filter({ visible: true })
    .first()
    .click();
  await page.getByRole('heading', { name: 'What to do first' }).waitFor();
}
