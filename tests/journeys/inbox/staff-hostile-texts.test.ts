import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { addEntry } from '../../../src/threads/thread-store.server.ts';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { insertAccount } from '../../support/staff-steps.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';

const [DESK] = SCREENS;
const COUNT = HOSTILE_TEXTS.length;

/** Each field holds each text once: row n has text n in its first field, n+1 in its second. */
const text = (n: number) => HOSTILE_TEXTS[n % COUNT] ?? '';

const KINDS = ['contact', 'chat'] as const;
/** Where the text of a message is, after that of the name. */
const SHOWN = { contact: 4, chat: 2 };
const FIRST_AT = Date.now() - 1_000_000;
/** The database counts from 1. */
const threadId = (kind: 'contact' | 'chat', n: number) => (kind === 'chat' ? COUNT : 0) + n + 1;

const app = sharedTestApp();
const browser = sharedBrowser();
beforeAll(() => writeEverywhere(app));

/** At the desk, where the list is beside what is open. */
test.each(KINDS)('hostile texts in the list and in an opened %s run nothing', async (kind) => {
  const page = await browser.open(DESK, { as: await app.staff() });
  const done: string[] = [];
  page.on('dialog', (dialog) => {
    done.push(`dialog ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('request', (each) => {
    if (!each.url().startsWith(app.address)) done.push(`request ${each.url()}`);
  });
  page.on('framenavigated', (frame) => {
    if (!frame.url().startsWith(`${app.address}/admin`)) done.push(`navigation ${frame.url()}`);
  });
  for (let n = 0; n < COUNT; n += 40) {
    await page.goto(`/admin?open=${threadId(kind, n)}`);
    const message = text(n + SHOWN[kind]);
    await expect.poll(() => page.locator('main bdi').allTextContents()).toContain(message);
    await expectPlain(page);
    const hrefs = page
      .locator('main a')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const href of await hrefs)
      expect(href).toMatch(
        /^(mailto:[^?&]*(\?subject=[^&]*)?$|tel:[\d+]*$|http:\/\/127\.0\.0\.1:)/,
      );
  }
  expect(done).toEqual([]);
});

async function writeEverywhere({ database: { db } }: TestApp): Promise<void> {
  for (const kind of KINDS)
    for (const [n, name] of HOSTILE_TEXTS.entries()) {
      const at = FIRST_AT + n * 1000;
      const sender = { name, email: text(n + 1), phone: text(n + 2), service: text(n + 3) };
      const times = { createdAt: at, lastAt: at, waitsSince: at, changedAt: at };
      const { id } = await db
        .insertInto('threads')
        .values({ kind, status: 'new', ...sender, ...times })
        .returning('id')
        .executeTakeFirstOrThrow();
      await addEntry(db, { threadId: id, kind: 'visitor', text: text(n + SHOWN[kind]), at });
      const authorId = await insertAccount(db, name);
      for (const other of ['staff', 'note', 'assigned'] as const)
        await addEntry(db, { threadId: id, kind: other, text: text(n + 3), authorId, at });
    }
}

/** Elements that staff pages never render; their own forms have no validation by the browser. */
const FOREIGN =
  'script, style, link, meta, base, iframe, object, embed, video, audio, img, form:not([novalidate]), marquee, math, b, template';

/** Checks that the texts have made no elements and do not widen the page. */
async function expectPlain(page: Page): Promise<void> {
  const foreign = page.locator('main').locator(FOREIGN);
  expect(await foreign.evaluateAll((found) => found.map((each) => each.outerHTML))).toEqual([]);
  const sideways = () =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(sideways)).toBe(0);
}
