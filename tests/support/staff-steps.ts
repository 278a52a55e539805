/** What staff do in the staff area, and the messages they find there. */
import type { Page } from 'playwright-core';
import type { NewRow } from '../../src/platform/database/tables.server.ts';
import type { TestApp } from './test-app.ts';

export const DEMO = { username: 'admin', password: 'showroom-demo' };

export async function signIn(page: Page, { username, password } = DEMO): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a staff page, which redirects to the sign-in and back. */
export async function openAsStaff(page: Page, app: TestApp, address: string): Promise<void> {
  await page.goto(app.address + address);
  await signIn(page);
  await page.waitForURL(app.address + address);
}

/** A recent time for older messages: the site deletes very old ones by itself. */
export const YESTERDAY = Date.now() - 86_400_000;

/** Inserts a contact submission and returns its id. */
export async function insertSubmission(
  { database: { db } }: Pick<TestApp, 'database'>,
  written: Partial<NewRow<'contactSubmissions'>> = {},
): Promise<number> {
  const { id } = await db
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

/** Inserts a chat message with the site's automatic reply and returns its id. */
export async function insertChatMessage(
  { database: { db } }: Pick<TestApp, 'database'>,
  written: Partial<NewRow<'chatMessages'>>,
): Promise<number> {
  const { id } = await db
    .insertInto('chatMessages')
    .values({
      conversation: 'one',
      name: 'Olga',
      email: 'sam@example.com',
      message: 'Are you there?',
      response: 'Thank you for your message.',
      mark: 'new',
      createdAt: Date.now(),
      ...written,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
