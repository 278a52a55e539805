import { existsSync } from 'node:fs';

/** A Chromium or Chrome that is installed, or undefined for the one that Playwright has downloaded. */
export function findBrowser(): string | undefined {
  const known = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  return [process.env.CHROMIUM_PATH ?? '', ...known].find(
    (path) => path !== '' && existsSync(path),
  );
}
