/** What comes late on a screen of staff moves nothing that a thumb is about to press. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shiftsOf, watchShifts } from '../../looks/shifts.ts';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { savedOrder } from '../../support/saved-order.ts';
import { openAsStaff, receive } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const [, PHONE] = SCREENS;
/** Long enough to be seen, and well within what the inbox waits on a busy machine. */
const LATE_MS = 300;

describe('on a phone nothing moves', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  /** Signed in, with the call of this address answered late. */
  async function openLate(path: string, call: string): Promise<Page> {
    const page = await browser.open(PHONE);
    await openAsStaff(page, app, path);
    await page.route(call, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      await route.continue();
    });
    await watchShifts(page);
    await page.reload();
    return page;
  }

  test('in the inbox when what was not delivered is listed', async () => {
    await receive(app);
    await app.database.db
      .insertInto('outbox')
      .values({
        channel: 'teams',
        topic: 'later',
        kind: 'chat-received',
        subjectId: 999,
        state: 'set aside',
        nextTryAt: Date.now(),
        createdAt: Date.now(),
      })
      .execute();
    const page = await openLate('/admin', '**/api/admin/outbox');
    await page.getByRole('region', { name: 'Not delivered yet' }).waitFor();
    await page.getByText('Dana Whitfield').waitFor();
    expect(await shiftsOf(page)).toEqual([]);
  });

  test('below an open order when it comes', async () => {
    const { id } = await savedOrder(app.database.db);
    const page = await openLate(`/admin/orders?open=${id}`, `**/api/orders/${id}`);
    await page.getByText('Jane Doe').filter({ visible: true }).waitFor();
    await page.getByText(/^Subscriptions are at/).waitFor();
    expect(await shiftsOf(page)).toEqual([]);
  });
});
