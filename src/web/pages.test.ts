import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import { CHECKOUT_PAGES, loadPages } from './checkout-app.tsx';
import { SITE_PAGES } from './pages.ts';

test('the build names each page’s module as the browser loads it', async () => {
  const moduleOf = (file: string) => import(join(process.cwd(), file));
  for (const { module, load } of Object.values(SITE_PAGES))
    expect(await load(), module).toBe(await moduleOf(module));
  for (const page of ['checkout', 'order', 'quote'] as const)
    expect((await loadPages(page))[page]).toBe(await moduleOf(CHECKOUT_PAGES[page].module));
});

test('no two pages have the same address', () => {
  const documents = [SITE_PAGES, CHECKOUT_PAGES, STAFF_PAGES];
  const paths = documents.flatMap((pages) => Object.values(pages).map(({ path }) => path));
  expect(new Set(paths).size).toBe(paths.length);
});
