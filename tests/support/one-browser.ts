/**
 * Starts the Chromium that all journeys of a run share, each test with a context of its own; and one for those that look
 * at pictures, whose decoding is a fifth of what a browser does.
 */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { FLAGS } from './browser-flags.ts';
import { findTestBrowser } from './find-browser.ts';
import { EVERYTHING } from './test-plan.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the workers reach it: with pictures, and without. */
    browserUrls: { pictures: string; plain: string };
    /** Whether few enough tests are run to keep Playwright's trace of each. */
    traced: boolean;
  }
}

/** What two cores have no use for: a process for the network, and threads for scripts. A fifteenth of a journey's time. */
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
