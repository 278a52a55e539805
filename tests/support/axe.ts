/** Runs axe in a page: three times as fast as its own Playwright wrapper. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
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
 * Runs these tags or rules, `also` those and `without` these, inside the selector `within` if the
 * page has such elements, or else on all of it. axe stays loaded in the page, which halves the time
 * of a second run.
 */
export async function violations(
  page: Page,
  runOnly: readonly string[],
  {
    also = [],
    without = [],
    within,
  }: { also?: string[]; without?: string[]; within?: string } = {},
): Promise<Violation[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(SOURCE);
  const rules = Object.fromEntries([
    ...also.map((rule) => [rule, { enabled: true }]),
    ...without.map((rule) => [rule, { enabled: false }]),
  ]);
  return page.evaluate(
    async ({ runOnly, rules, within }) => {
      const axe = Reflect.get(window, 'axe') as AxeInPage;
      // What fades in has less contrast on its way.
      const moving = document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
      await Promise.allSettled(moving.map(({ finished }) => finished));
      // A payment provider's frames are not ours to fix.
      const options = {
        runOnly,
        rules,
        resultTypes: ['violations'],
        iframes: false,
        preload: false,
      };
      // axe takes a closed <details> for hidden, even where CSS shows it (src/ui/disclosure.tsx).
      const shown = [
        ...document.querySelectorAll<HTMLDetailsElement>('details:not([open])'),
      ].filter(
        (details) => getComputedStyle(details, '::details-content').contentVisibility === 'visible',
      );
      for (const details of shown) details.open = true;
      const part = within && document.querySelector(within) ? within : document;
      const found = await axe.run(part, options);
      for (const details of shown) details.open = false;
      return found.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        nodes: nodes.map(({ target, html }) => ({ target: String(target), html })),
      }));
    },
    { runOnly, rules, within },
  );
}
