import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT_PAGES, SITE_PAGES } from './routes.ts';
import { STAFF_PAGES } from './staff/staff-pages.ts';
import { loadPages } from './web/checkout-app.tsx';
import { pageModules } from './web/pages.ts';

test('the browser loads each page’s module from where the site map says', async () => {
  const modules: Record<string, () => Promise<object>> = { ...pageModules };
  expect(Object.keys(modules)).toEqual(expect.arrayContaining(Object.keys(SITE_PAGES)));
  for (const [page, { module }] of Object.entries(SITE_PAGES))
    expect(await modules[page]?.(), page).toBe(await import(join(process.cwd(), module)));
});

test('so it does with the pages of the checkout’s document, and loads no other', async () => {
  for (const page of ['checkout', 'order', 'quote'] as const) {
    const { [page]: loaded, ...others } = await loadPages([page]);
    expect(loaded, page).toBe(await import(join(process.cwd(), CHECKOUT_PAGES[page].module)));
    expect(Object.values(others)).toEqual([undefined, undefined]);
  }
});

test('no two pages have the same address', () => {
  const documents = [SITE_PAGES, CHECKOUT_PAGES, STAFF_PAGES];
  const paths = documents.flatMap((pages) => Object.values(pages).map(({ path }) => path));
  expect(new Set(paths).size).toBe(paths.length);
});
