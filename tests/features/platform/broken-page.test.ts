import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { captureLog } from '../../support/logged.ts';
import type { TestApp } from '../../support/test-app.ts';

const PART = '../../../src/catalogue/planner.tsx';

let app: TestApp;
beforeEach(async () => {
  // A bug that shows only when the page is rendered. Modules are reloaded, because other tests of
  // this process may have rendered the page already.
  vi.resetModules();
  vi.doMock(PART, () => ({
    Planner() {
      throw new Error('cannot be rendered');
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

test('a page that fails to render is answered 500 and logged, and other pages are served', async () => {
  const log = captureLog();
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
      message: expect.stringContaining('cannot be rendered'),
    }),
  );
});
