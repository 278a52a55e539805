/** Starts the Chromium that journeys share, without pictures: a fifth of its work. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { TEST_FLAGS } from './browser-flags.ts';
import { findTestBrowser } from './find-browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    browserUrl: string;
    /** Whether Playwright records traces: only with a title filter, when few tests run. */
    traced: boolean;
  }
}

const NO_PICTURES = '--blink-settings=imagesEnabled=false';

export default async function setup(project: TestProject) {
  const executablePath = findTestBrowser();
  const browser = await chromium.launchServer({
    args: [...TEST_FLAGS, NO_PICTURES],
    ...(executablePath ? { executablePath } : {}),
  });
  project.provide('browserUrl', browser.wsEndpoint());
  project.provide('traced', project.vitest.config.testNamePattern !== undefined);
  return () => browser.close();
}
