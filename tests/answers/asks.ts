/** Ways to have a screen make its calls again and again, without a way over the network. They run in the page. */
import type { JSHandle, Page } from 'playwright-core';
import { isReady } from '../support/wait-for-script.ts';
import type { BentAnswer } from './bent-answers.ts';
import type { Screen } from './screens.ts';

/** An answer on its way to the call whose address matches `url`. */
export type Fed = BentAnswer & { url: string };

/** Waits for that, for a while. */
export type Until = (true_: () => boolean) => Promise<void>;

/** Has the screen make its calls. */
export type Ask = (until: Until) => Promise<void>;

/** Starts the document's script again over what the server has sent, as a reload would. */
export async function startAgain(
  page: Page,
  address: string,
  { path, from = path }: Pick<Screen, 'path' | 'from'>,
): Promise<JSHandle<Ask>> {
  await page.goto(address + from);
  // As text, since Vitest would make another import of it.
  const load: JSHandle<(address: string) => Promise<unknown>> = await page.evaluateHandle(
    '(address) => import(address)',
  );
  const ready: JSHandle<() => boolean> = await page.evaluateHandle(`(${isReady})`);
  return page.evaluateHandle(
    async ({ load, isReady, path }) => {
      // Parsing text is what the page's policy forbids.
      const sent = await new Promise<Document | null>((received) => {
        const request = new XMLHttpRequest();
        request.open('GET', path);
        request.responseType = 'document';
        request.onload = () => received(request.responseXML);
        request.send();
      });
      const partOf = (from: Document | null, id: string) => {
        const part = from?.getElementById(id);
        if (!part) throw new Error(`the document has no #${id}`);
        return part;
      };
      const { script } = JSON.parse(partOf(document, 'page-scripts').textContent);
      let starts = 0;
      return async (until) => {
        window.history.replaceState(null, '', path);
        const root = document.importNode(partOf(sent, 'root'), true);
        partOf(document, 'root').replaceWith(root);
        const data = document.createElement('div');
        Object.assign(data, { id: 'page-data', hidden: true });
        data.textContent = partOf(sent, 'page-data').textContent;
        partOf(document, 'page-data').replaceWith(data);
        starts += 1;
        delete document.documentElement.dataset.ready;
        await load(`${script.href}#${starts}`);
        await until(isReady);
        if (!isReady()) throw new Error('The script never took it over');
      };
    },
    { load, isReady: ready, path },
  );
}

/** Presses the button with these words, as soon as it can be pressed. */
export function press(page: Page, words: string): Promise<JSHandle<Ask>> {
  return page.evaluateHandle(
    (words) => async (until) => {
      const button = () =>
        [...document.querySelectorAll('button')].find(
          ({ textContent, disabled }) => textContent.includes(words) && !disabled,
        );
      await until(() => button() !== undefined);
      button()?.click();
    },
    words,
  );
}
