import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { feed, openAnew } from './feed.ts';
import { enterAsStaff, STAFF_CALLS, STAFF_SCREENS } from './staff-screens.ts';

const [DESK] = SCREENS;

describe('whatever the calls of staff answer', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test.each(STAFF_SCREENS)('$name stands', async (each) => {
    const screen = { ...each, besides: STAFF_CALLS };
    const page = await browser.open(DESK, {
      expectComplaints: /Failed to load resource/,
    });
    await enterAsStaff(page);
    const begin = () => openAnew(page, app.address, screen.path);
    expect(await feed(page, screen, begin)).toEqual([]);
  });
});
