/** A fault in one page costs that page: the server goes on, says so in its log, and serves all others. */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { captureLog } from '../../support/logged.ts';
import type { TestApp } from '../../support/test-app.ts';

const PART = '../../../src/catalogue/planner.tsx';

let app: TestApp;
beforeEach(async () => {
  // A mistake of ours that no check of content/ could find: it shows when the page is drawn. The modules are loaded
  // again, because other tests of this process may have drawn the page already.
  vi.resetModules();
  vi.doMock(PART, () => ({
    Planner() {
      throw new Error('this part cannot be drawn');
    },
  }));
  const { startTestApp } = await import('../../support/test-app.ts');
  app = await startTestApp();
});
afterEach(async () => {
  await app.stop();
  vi.doUnmock(PART);
  vi.resetModules();
});

test('a page that cannot be drawn is refused, time after time, and the rest is there', async () => {
  const log = captureLog();
  onTestFinished(log.restore);
  const statuses: number[] = [];
  for (const path of ['/news', '/', '/', '/news']) {
    const answer = await fetch(app.address + path);
    await answer.text();
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([200, 500, 500, 200]);
  expect(log.lines).toContainEqual(
    expect.objectContaining({
      event: 'call-failed',
      path: '/',
      message: expect.stringContaining('this part cannot be drawn'),
    }),
  );
});
