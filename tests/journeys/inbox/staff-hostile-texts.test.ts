import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addEntry } from '../../../src/threads/thread-store.server.ts';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { insertAccount } from '../../support/staff-steps.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const COUNT = HOSTILE_TEXTS.length;
const PAGE_SIZE = 50;
const TWO_MINUTES = 120_000;
/** In pixels: a row of one line with its button, with room for taller scripts. */
const TALLEST_ROW = 70;

/** Each field holds each text once: row n has text n in its first field, n+1 in its second. */
const text = (n: number) => HOSTILE_TEXTS[n % COUNT] ?? '';

const KINDS = ['contact', 'chat'] as const;
/** Where the text of a message is, after that of the name. */
const SHOWN = { contact: 4, chat: 2 };
const FIRST_AT = Date.now() - 1_000_000;
/** The database counts from 1. */
const threadId = (kind: 'contact' | 'chat', n: number) => (kind === 'chat' ? COUNT : 0) + n + 1;

const app = sharedTestApp();
beforeAll(() => writeEverywhere(app));

describe.each(SCREENS)(`${COUNT} hostile texts at the $name`, (screen) => {
  const browser = sharedBrowser();

  /** A staff page. Whatever a text makes it do is collected in `done`. */
  async function watchedPage(address: string): Promise<{ page: Page; done: string[] }> {
    const page = await browser.open(screen, { as: await app.staff() });
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
    await page.goto(address);
    return { page, done };
  }

  variant.each([
    ['contact', [0, 1, 3, 4]],
    ['chat', [0, 1, 2]],
  ] as const)(
    'in the list of %s messages stay text on one line',
    async (kind, shown) => {
      const { page, done } = await watchedPage(`/admin?kind=${kind}`);
      const seen: string[][] = [];
      for (let first = 1; first <= COUNT; first += PAGE_SIZE) {
        if (first > 1) await page.getByRole('button', { name: 'Next page' }).click();
        await page.getByText(`${first}–${Math.min(first + PAGE_SIZE - 1, COUNT)} of`).waitFor();
        await page.locator('table[aria-busy=false]').waitFor();
        seen.push(...(await rowTexts(page)));
        if (screen.name === 'desk') expect(await tallestRow(page)).toBeLessThan(TALLEST_ROW);
        await expectPlain(page);
      }
      const expected = Array.from({ length: COUNT }, (_, n) => shown.map((each) => text(n + each)));
      expect(seen).toEqual(expected);
      expect(done).toEqual([]);
    },
    TWO_MINUTES,
  );

  // The detail is the same on every screen.
  test.runIf(screen.name === 'desk').each(KINDS)(
    'in an opened thread of the kind %s run nothing',
    async (kind) => {
      const { page, done } = await watchedPage('/admin');
      for (let n = 0; n < COUNT; n += 40) {
        await page.goto(`/admin?open=${threadId(kind, n)}`);
        const message = text(n + SHOWN[kind]);
        await expect.poll(() => page.locator('main bdi').allTextContents()).toContain(message);
        await expectPlain(page);
        const links = page.locator('main a');
        for (const href of await links.evaluateAll((all) =>
          all.map((link) => (link as HTMLAnchorElement).href),
        ))
          expect(href).toMatch(
            /^(mailto:[^?&]*(\?subject=[^&]*)?$|tel:[\d+]*$|http:\/\/127\.0\.0\.1:)/,
          );
      }
      expect(done).toEqual([]);
    },
    TWO_MINUTES,
  );
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

function rowTexts(page: Page): Promise<string[][]> {
  return page
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('bdi')].map((cell) => cell.textContent ?? '')),
    );
}

function tallestRow(page: Page): Promise<number> {
  return page
    .locator('tbody tr')
    .evaluateAll((rows) => Math.max(...rows.map((row) => row.getBoundingClientRect().height)));
}

/** Elements that staff pages never render. */
/** The site's own forms have no validation by the browser. */
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
