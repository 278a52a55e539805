import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT_PAGES, SITE_PAGES, STAFF_ROUTES } from './routes.ts';
import { staffModules } from './web/admin-app.tsx';
import { loadPages } from './web/checkout-app.tsx';
import { pageModules } from './web/pages.ts';

const PUBLIC = Object.entries(SITE_PAGES).map(([name, { module }]) => [name, module] as const);
const STAFF = Object.values(STAFF_ROUTES).map(({ path, module }) => [path, module] as const);

test.each<{ mapped: (readonly [string, string])[]; modules: object }>([
  { mapped: PUBLIC, modules: pageModules },
  { mapped: STAFF, modules: staffModules },
])('the browser loads each page’s module from where the site map says', async (document) => {
  const modules: Record<string, () => Promise<object>> = { ...document.modules };
  expect(Object.keys(modules)).toHaveLength(document.mapped.length);
  for (const [page, module] of document.mapped) {
    const mapped: unknown = await import(join(process.cwd(), module));
    expect(await modules[page]?.(), page).toBe(mapped);
  }
});

test('so it does with the pages of the checkout’s document, and loads no other', async () => {
  for (const page of ['checkout', 'order', 'quote'] as const) {
    const { [page]: loaded, ...others } = await loadPages([page]);
    expect(loaded, page).toBe(await import(join(process.cwd(), CHECKOUT_PAGES[page].module)));
    expect(Object.values(others)).toEqual([undefined, undefined]);
  }
});

test('no two pages have the same address', () => {
  const documents = [SITE_PAGES, CHECKOUT_PAGES, STAFF_ROUTES];
  const paths = documents.flatMap((pages) => Object.values(pages).map(({ path }) => path));
  expect(new Set(paths).size).toBe(paths.length);
});
