/** Starts the Chromium that journeys share, without pictures: a fifth of its work. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { FLAGS } from './browser-flags.ts';
import { findTestBrowser } from './find-browser.ts';
import { EVERYTHING } from './test-plan.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    browserUrl: string;
    /** Whether Playwright records traces: only with a title filter, when few tests run. */
    traced: boolean;
  }
}

const NO_PICTURES = '--blink-settings=imagesEnabled=false';
/** No network process, no script threads: on two cores a fifteenth of a journey's time. */
const ALL_IN_ONE = ['--enable-features=NetworkServiceInProcess2', '--js-flags=--single-threaded'];

export default async function setup(project: TestProject) {
  const executablePath = findTestBrowser();
  const browser = await chromium.launchServer({
    args: [...FLAGS, NO_PICTURES, ...(EVERYTHING ? [] : ALL_IN_ONE)],
    ...(executablePath ? { executablePath } : {}),
  });
  project.provide('browserUrl', browser.wsEndpoint());
  project.provide('traced', project.vitest.config.testNamePattern !== undefined);
  return () => browser.close();
}
