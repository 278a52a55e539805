/** What a visitor sees and does when navigating between pages. */
import type { Page } from 'playwright-core';

export function card(page: Page, title: string) {
  const titled = page.getByRole('heading', { name: title });
  const article = page.getByRole('article').filter({ has: titled });
  return article.getByRole('link', { name: 'Read More', exact: true });
}

/** The menu on small screens. */
export function menu(page: Page) {
  return page.getByRole('navigation', { name: 'Main, for small screens' });
}

export function scrollTop(page: Page): Promise<number> {
  return page.evaluate(() => window.scrollY);
}

export function topOf(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .evaluate((element) => Math.round(element.getBoundingClientRect().top));
}
