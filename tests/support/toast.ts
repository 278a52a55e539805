/** Toasts, and how a visitor reads them. */
import type { Page } from 'playwright-core';

export const toasts = (page: Page) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem');

/** The titles of toasts about failures, which must look like it. */
const DESTRUCTIVE = /fail|error|no plan/i;

export async function expectToast(page: Page, title: string, text: string): Promise<void> {
  const variant = DESTRUCTIVE.test(title) ? 'destructive' : 'default';
  const look = page.locator(`[data-variant=${variant}]`);
  // Match title and text together: the previous toast may have had the same title.
  await toasts(page).and(look).filter({ hasText: title }).filter({ hasText: text }).waitFor();
}

export async function readToast(page: Page, title: string, text: string): Promise<void> {
  await expectToast(page, title, text);
  const toast = toasts(page).filter({ hasText: title });
  // On a busy machine the toast's five seconds may be over before the click.
  const press = toast.getByRole('button', { name: 'Close notification' }).click();
  await Promise.race([press.catch(() => undefined), toast.waitFor({ state: 'detached' })]);
  await toast.waitFor({ state: 'detached' });
}
