import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT_PAGES } from './checkout-app.tsx';
import { PAGE_MODULES } from './pages.ts';

test('the build names each page’s module as the browser loads it', async () => {
  for (const { module, load } of Object.values({ ...PAGE_MODULES, ...CHECKOUT_PAGES }))
    expect(await load(), module).toBe(await import(join(process.cwd(), module)));
});
