import type { Page, Route } from 'playwright-core';

/** Holds the page's requests to these addresses until the returned function is called. */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  send = (route: Route): unknown => route.fallback(),
): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await released;
    await send(route);
  });
  return release;
}

/** The next request arrives, but its answer is lost. */
export function loseAnswer(page: Page, url: string): Promise<unknown> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  return page.route(url, lose, { times: 1 });
}
