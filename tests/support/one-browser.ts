/** Starts the Chromium that all journeys of a run share, each test with a context of its own. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { FLAGS } from './browser-flags.ts';
import { findTestBrowser } from './find-browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the workers reach it. */
    browserUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const executablePath = findTestBrowser();
  const server = await chromium.launchServer({
    args: FLAGS,
    ...(executablePath ? { executablePath } : {}),
  });
  project.provide('browserUrl', server.wsEndpoint());
  return () => server.close();
}
