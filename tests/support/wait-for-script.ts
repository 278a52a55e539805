import type { Page } from 'playwright-core';

/** A person does not act in the instant in which a page is there; a test would, before its script has come. */
export function waitForScript(page: Page): void {
  const goTo = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const response = await goTo(url, options);
    await untilReady(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await untilReady(page);
    return response;
  };
}

/** Of the page's event loop: a clock that a test has stopped holds up timers, frames and idle time, but no messages. */
const TURNS = 100;

/** Waits until the page's script has taken over, and has done what it does next: React hydrates the parts one by one. */
export async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(isReady, undefined, { polling: 50 });
  await page.evaluate(async (turns) => {
    for (let turn = 0; turn < turns; turn += 1)
      await new Promise((next) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = next;
        port2.postMessage(null);
      });
  }, TURNS);
}

/**
 * As `useMarkReady` in src/ui/page-failure.tsx notes it; a document without an app has no script. The parts of the home page below its first
 * screen come a little later: until then the planner's buttons are disabled.
 */
export function isReady(): boolean {
  if (!document.querySelector('#root')?.firstElementChild) return true;
  return (
    document.documentElement.dataset.ready !== undefined &&
    !document.querySelector('#pricing form button:disabled')
  );
}
