import type { Page } from 'playwright-core';

/** Makes `goto` and `reload` wait for the script: a test would act before it runs. */
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

/** Turns of the event loop, by messages: with a stopped clock, timers never fire. */
const TURNS = 100;

/** Waits until the script has taken over, and a little longer: React hydrates in parts. */
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
 * Reads the mark of a document whose script has taken over; one without an app needs none. The
 * planner on the home page hydrates later, and then its contact form.
 */
function isReady(): boolean {
  if (!document.querySelector('#root')?.firstElementChild) return true;
  return (
    document.documentElement.dataset.ready !== undefined &&
    !document.querySelector('#root [data-early]:not([action="/contact"] *)')
  );
}
