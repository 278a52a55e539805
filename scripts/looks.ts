/**
 * `npm test -- looks [name …]`: takes a picture of every screen on a phone and a desk, and compares
 * it with tests/looks/pictures. `--update` replaces those. Not part of the gate, because another
 * Chromium draws other pixels.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { createServer as createVite } from 'vite';
import { CHECKOUT_SCREENS } from '../tests/looks/checkout-screens.ts';
import { difference, shrink } from '../tests/looks/compare.ts';
import { PUBLIC_SCREENS } from '../tests/looks/public-screens.ts';
import { type ScreenState, show } from '../tests/looks/screen-state.ts';
import { STAFF_SCREENS } from '../tests/looks/staff-screens.ts';
import { FLAGS } from '../tests/support/browser-flags.ts';
import { findTestBrowser } from '../tests/support/find-browser.ts';
import { startServer } from '../tests/support/server-process.ts';
import { waitForScript } from '../tests/support/wait-for-script.ts';

const KEPT = 'tests/looks/pictures';
/** Where pictures of changed screens are saved. */
const SEEN = 'dist/looks';
/** Share of a picture's pixels. */
const MAX_DIFFERENCE = 0.002;
/** A fixed time, because screens show times. */
const NOW = new Date('2026-05-13T14:30:00Z');
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

interface View {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
}

const update = process.argv.includes('--update');
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const folder = mkdtempSync(join(tmpdir(), 'site-looks-'));
const site = await startServer({ DATA_DIR: folder });
const executablePath = findTestBrowser();
const browser = await chromium.launch({
  args: FLAGS,
  ...(executablePath ? { executablePath } : {}),
});
// Node runs no JSX.
const vite = await createVite({ appType: 'custom', server: { middlewareMode: true, ws: false } });
const { mailScreens } = await vite.ssrLoadModule('/tests/looks/mail-screens.ts');
const mails: ScreenState[] = await mailScreens();
await vite.close();
const table = await browser.newPage();
const changed: string[] = [];
let screens = 0;

mkdirSync(KEPT, { recursive: true });
mkdirSync(SEEN, { recursive: true });
for (const screen of [...PUBLIC_SCREENS, ...CHECKOUT_SCREENS, ...STAFF_SCREENS, ...mails]) {
  if (names.length > 0 && !names.some((name) => screen.name.includes(name))) continue;
  for (const size of SIZES.filter(({ width }) => screen.widths?.includes(width) ?? true)) {
    await look(screen, { ...size, colorScheme: 'light' });
    if (screen.dark) await look(screen, { ...size, colorScheme: 'dark' });
  }
}
await browser.close();
await site.stop();
rmSync(folder, { recursive: true, force: true });
console.log(
  update
    ? `${screens} pictures kept`
    : `${screens} pictures, ${changed.length} differ ${changed.join(', ')}`,
);
process.exit(update || changed.length === 0 ? 0 : 1);

async function look(screen: ScreenState, view: View): Promise<void> {
  const theme = view.colorScheme === 'dark' ? '-dark' : '';
  const name = `${screen.name}-${view.width}${theme}.webp`;
  const picture = await table.evaluate(shrink, await photograph(screen, view));
  screens += 1;
  if (update) return keep(KEPT, name, picture);
  const keptPicture = readKept(name);
  if (
    keptPicture &&
    (await table.evaluate(difference, { kept: keptPicture, picture })) <= MAX_DIFFERENCE
  )
    return;
  changed.push(name);
  keep(SEEN, name, picture);
}

async function photograph(
  screen: ScreenState,
  { width, height, colorScheme }: View,
): Promise<string> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    hasTouch: width < 700,
    isMobile: width < 700,
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
    extraHTTPHeaders: {
      'X-Forwarded-For': `10.0.${Math.floor(screens / 250)}.${(screens % 250) + 1}`,
    },
  });
  await context.clock.setFixedTime(NOW);
  const page = await context.newPage();
  waitForScript(page);
  await show(screen, page, site.address);
  await loadPictures(page);
  // It waits above the top of the screen, which is inside a picture of the whole page.
  await page.evaluate(() => document.querySelector('.skip-link:not(:focus)')?.remove());
  const png = await page.screenshot({ fullPage: !screen.inFront, caret: 'hide' });
  await context.close();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** Loads lazy pictures, too, also in frames that are rendered only near the screen. */
async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(sheet);
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
}

function readKept(name: string): string | undefined {
  try {
    return `data:image/webp;base64,${readFileSync(join(KEPT, name), 'base64')}`;
  } catch {
    return undefined;
  }
}

function keep(where: string, name: string, picture: string): void {
  writeFileSync(join(where, name), Buffer.from(picture.split(',')[1] ?? '', 'base64'));
}
