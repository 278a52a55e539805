import { existsSync } from 'node:fs';
import { EVERYTHING } from './test-plan.ts';

const WISH = process.env.CHROMIUM_PATH ?? '';
/** Chromium without its own windows, which takes two thirds of the CPU time. */
const SHELL = '/usr/bin/chromium-headless-shell';

export const FIREFOX = '/usr/bin/firefox-esr';
export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
/** The virtual display for WebKit's window. */
export const XVFB = '/usr/bin/Xvfb';

export const hasFirefox = () => existsSync(FIREFOX);
export const hasWebKit = () => existsSync(WEBKIT_DRIVER) && existsSync(XVFB);

/** An installed Chromium or Chrome; undefined means the one that Playwright has downloaded. */
export function findBrowser(): string | undefined {
  return first([
    WISH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    SHELL,
  ]);
}

/** The browser for tests: the headless shell in the gate, the real browser in the full run. */
export function findTestBrowser(): string | undefined {
  return EVERYTHING ? findBrowser() : (first([WISH, SHELL]) ?? findBrowser());
}

function first(paths: readonly string[]): string | undefined {
  return paths.find((path) => path !== '' && existsSync(path));
}
