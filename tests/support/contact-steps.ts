/** What a visitor does with the home page's contact form. */
import type { Page } from 'playwright-core';
import { fillFields } from './fill-fields.ts';

export const contactForm = (page: Page) => page.locator('form[action="/contact"]');

/** Its script follows that of the planner. */
export async function comeToForm(page: Page): Promise<void> {
  await contactForm(page).scrollIntoViewIfNeeded();
  await contactForm(page).locator('[data-early]').waitFor({ state: 'detached' });
}

export async function fillIn(page: Page) {
  await fillFields(contactForm(page), {
    Name: 'Ann Moore',
    Email: 'ann@lakeside.example',
    Phone: '770.555.0134',
    Message: 'Our phones drop calls every afternoon.',
  });
  await contactForm(page).getByLabel('Service').selectOption({ label: 'VoIP Services' });
}
