/** What a colleague does in the staff area, in words. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

export const DEMO = { username: 'admin', password: 'showroom-demo' };

export async function signIn(page: Page, { username, password } = DEMO): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a page of staff from outside: signs in on the way, and arrives where it was meant to. */
export async function openAsStaff(page: Page, app: TestApp, address: string): Promise<void> {
  await page.goto(app.address + address);
  await signIn(page);
  await page.waitForURL(app.address + address);
}

/** Waits for a toast with this title and text, and closes it. */
export async function readToast(page: Page, title: string, text: string): Promise<void> {
  const toast = page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('listitem')
    .filter({ hasText: title });
  await toast.waitFor();
  expect(await toast.textContent()).toContain(text);
  // On a busy machine its five seconds may be over before the press.
  const press = toast.getByRole('button', { name: 'Close notification' }).click();
  await Promise.race([press.catch(() => undefined), toast.waitFor({ state: 'detached' })]);
  await toast.waitFor({ state: 'detached' });
}

interface Written {
  name?: string;
  email?: string;
  phone?: string | null;
  service?: string | null;
  message?: string;
  mark?: string;
  createdAt?: number;
}

/** For what came earlier; what has lain there for years the site deletes by itself. */
export const YESTERDAY = Date.now() - 86_400_000;

/** A contact submission, as it stands in the database after it has been received. */
export async function receive(app: TestApp, written: Written = {}): Promise<number> {
  const { id } = await app.database.db
    .insertInto('contactSubmissions')
    .values({
      name: 'Dana Whitfield',
      email: 'dana@example.com',
      phone: null,
      service: null,
      message: 'Our service-lane tablets lose Wi-Fi every afternoon.',
      mark: 'new',
      createdAt: Date.now(),
      ...written,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A chat message and what the site answered at once. */
export async function hear(
  app: TestApp,
  conversation: string,
  message: string,
  name = 'Olga',
): Promise<number> {
  const { id } = await app.database.db
    .insertInto('chatMessages')
    .values({
      conversation,
      name,
      email: 'sam@example.com',
      message,
      response: 'Thank you for your message.',
      mark: 'new',
      createdAt: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
