import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT_PAGES } from './checkout-app.tsx';
import { PAGE_MODULES } from './pages.ts';

test('each page’s `module` is the file that its `load` imports', async () => {
  for (const { module, load } of Object.values({ ...PAGE_MODULES, ...CHECKOUT_PAGES }))
    expect(await load(), module).toBe(await import(join(process.cwd(), module)));
});
