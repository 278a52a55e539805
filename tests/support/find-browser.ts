import { existsSync } from 'node:fs';
import { EVERYTHING } from './test-plan.ts';

const WISH = process.env.CHROMIUM_PATH ?? '';
/** Chromium without what draws its own windows: the same pages for two thirds of the processor's time. */
const SHELL = '/usr/bin/chromium-headless-shell';

export const FIREFOX = '/usr/bin/firefox-esr';
export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
/** The screen that WebKit's window needs. */
export const XVFB = '/usr/bin/Xvfb';

export const hasFirefox = () => existsSync(FIREFOX);
export const hasWebKit = () => existsSync(WEBKIT_DRIVER) && existsSync(XVFB);

/** A Chromium or Chrome that is installed, or undefined for the one that Playwright has downloaded. */
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

/** Whether it can keep a page for the way back; the light edition cannot. */
export const canKeepPages = () => findBrowser() !== SHELL;

/** The one of the tests: the lightest, but where everything is run. */
export function findTestBrowser(): string | undefined {
  return EVERYTHING ? findBrowser() : (first([WISH, SHELL]) ?? findBrowser());
}

function first(paths: readonly string[]): string | undefined {
  return paths.find((path) => path !== '' && existsSync(path));
}
