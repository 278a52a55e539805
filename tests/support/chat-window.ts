/** The chat window, and how a visitor uses it. */
import type { Page } from 'playwright-core';

export const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Tidewell Support' });
export const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'How can we reach you?' });
export const logOf = (page: Page) => page.getByRole('log', { name: 'Conversation' });

export async function openChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Chat with us' }).click();
  await logOf(page).waitFor();
}

export async function sendChat(page: Page, message: string): Promise<void> {
  await page.getByLabel('Write to support').fill(message);
  await panelOf(page).getByRole('button', { name: 'Send' }).click();
}

/** Sends the first message of a conversation, which asks for a name and an address. */
export async function sendFirst(page: Page, message: string): Promise<void> {
  await sendChat(page, message);
  await dialogOf(page).getByLabel('Name').fill('Ann Moore');
  await dialogOf(page).getByLabel('Email').fill('ann@lakeside.example');
  await dialogOf(page).getByRole('button', { name: 'Send Message' }).click();
}
