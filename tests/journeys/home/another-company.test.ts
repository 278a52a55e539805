/** A site with another company's content is as accessible as ours. */
import { describe, test } from 'vitest';
import { anotherCompany } from '../../support/another-company.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

describe('a site with another company’s content', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp({}, anotherCompany());

  test.each(['/', '/news', '/resources/', '/safeguards-check', '/checkout?plan=72'])(
    '%s is accessible',
    async (path) => {
      const page = await browser.visit(SCREENS[0], app, path);
      await expectAccessible(page);
    },
  );
});
