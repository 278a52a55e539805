import type { Page } from 'playwright-core';

/** A person does not act in the instant in which a page is there; a test would, before its script has come. */
export function waitForScript(page: Page): void {
  const goTo = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const tookOver = async () => {
    await page.waitForFunction(isTakenOver);
    // React runs the effects in a task of their own after that; this message comes behind it.
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = resolve;
          port2.postMessage('');
        }),
    );
  };
  page.goto = async (url, options) => {
    const response = await goTo(url, options);
    await tookOver();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await tookOver();
    return response;
  };
}

/**
 * Whether React has committed its first drawing, and taken over every part. Elements are claimed one by one before that,
 * the first long before.
 */
export function isTakenOver(): boolean {
  const root = document.querySelector('#root');
  if (!root?.firstElementChild) return true;
  const key = Object.keys(root).find((each) => each.startsWith('__reactContainer$'));
  // Of React's own record of the root; nothing public tells.
  const fiber = key && Reflect.get(root, key);
  if (!fiber) return false;
  const waiting = [fiber.stateNode.current];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { isDehydrated, dehydrated } = next.memoizedState ?? {};
    if (isDehydrated || dehydrated) return false;
    if (next.child) waiting.push(next.child);
    if (next.sibling) waiting.push(next.sibling);
  }
  return true;
}
