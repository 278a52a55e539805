import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT_PAGES, loadPages } from './checkout-app.tsx';
import { PAGE_MODULES } from './pages.ts';

test('the build names each page’s module as the browser loads it', async () => {
  const moduleOf = (file: string) => import(join(process.cwd(), file));
  for (const { module, load } of Object.values(PAGE_MODULES))
    expect(await load(), module).toBe(await moduleOf(module));
  for (const page of ['checkout', 'order', 'quote'] as const)
    expect((await loadPages(page))[page]).toBe(await moduleOf(CHECKOUT_PAGES[page].module));
});
