/** Runs axe in a page. Its own Playwright wrapper sends the large build each time and takes three times as long. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export interface Violation {
  id: string;
  help: string;
  nodes: { target: string; html: string }[];
}

interface AxeInPage {
  run(
    root: Document | string,
    options: object,
  ): Promise<{
    violations: { id: string; help: string; nodes: { target: unknown; html: string }[] }[];
  }>;
}

/**
 * What axe finds wrong by these tags or rules, except the rules of `without`, on the whole page or inside the selector
 * `within`. It stays in the page, so that a second look takes half the time.
 */
export async function violations(
  page: Page,
  runOnly: readonly string[],
  without: readonly string[] = [],
  within?: string,
): Promise<Violation[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(SOURCE);
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  return page.evaluate(
    async ({ runOnly, rules, within }) => {
      const axe = Reflect.get(window, 'axe') as AxeInPage;
      // What a provider shows in a frame is its own.
      const options = { runOnly, rules, resultTypes: ['violations'], iframes: false };
      // Axe takes a closed fold's content for hidden, also where the page shows it (PhoneDisclosure in src/ui/disclosure.tsx).
      const shown = [
        ...document.querySelectorAll<HTMLDetailsElement>('details:not([open])'),
      ].filter(
        (fold) => getComputedStyle(fold, '::details-content').contentVisibility === 'visible',
      );
      for (const fold of shown) fold.open = true;
      const found = await axe.run(within ?? document, options);
      for (const fold of shown) fold.open = false;
      return found.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        nodes: nodes.map(({ target, html }) => ({ target: String(target), html })),
      }));
    },
    { runOnly, rules, within },
  );
}
