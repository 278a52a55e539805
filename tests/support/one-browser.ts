/**
 * Starts the Chromium that all journeys of a run share, and a second one that loads pictures, for the tests that need
 * them: decoding pictures is a fifth of a browser's work.
 */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { FLAGS } from './browser-flags.ts';
import { findTestBrowser } from './find-browser.ts';
import { EVERYTHING } from './test-plan.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    browserUrls: { pictures: string; plain: string };
    /** Whether Playwright records traces: only with a title filter, when few tests run. */
    traced: boolean;
  }
}

/** No network process and no script threads: with two cores they cost a fifteenth of a journey's time. */
const ALL_IN_ONE = ['--enable-features=NetworkServiceInProcess2', '--js-flags=--single-threaded'];

export default async function setup(project: TestProject) {
  const executablePath = findTestBrowser();
  const launch = (flags: readonly string[]) =>
    chromium.launchServer({
      args: [...FLAGS, ...flags, ...(EVERYTHING ? [] : ALL_IN_ONE)],
      ...(executablePath ? { executablePath } : {}),
    });
  const [pictures, plain] = await Promise.all([
    launch([]),
    launch(['--blink-settings=imagesEnabled=false']),
  ]);
  project.provide('browserUrls', {
    pictures: pictures.wsEndpoint(),
    plain: plain.wsEndpoint(),
  });
  project.provide('traced', project.vitest.config.testNamePattern !== undefined);
  return async () => {
    await Promise.all([pictures.close(), plain.close()]);
  };
}
