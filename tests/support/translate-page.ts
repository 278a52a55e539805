import type { Page } from 'playwright-core';
import { untilReady } from './wait-for-script.ts';

/**
 * Translates the open page as browsers do, from now on: each text node, also of what appears later, is replaced by two
 * `font` elements. A script that keeps a reference to a text node, as React does, then holds one that is no longer shown.
 * The words stay the same, so that a test can read them, and those that no longer change are missed.
 */
export async function translatePage(page: Page): Promise<void> {
  await untilReady(page);
  await page.evaluate(keepTranslated);
}

/** Runs in the page. */
export function keepTranslated(): void {
  const translate = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) if (texts.currentNode instanceof Text) found.push(texts.currentNode);
    for (const text of found) {
      if (!text.data.trim() || text.parentElement?.closest('script, noscript, textarea, font'))
        continue;
      const words = document.createElement('font');
      words.append(text.data);
      const sentence = document.createElement('font');
      sentence.append(words);
      text.replaceWith(sentence);
    }
  };
  translate();
  const everything = { subtree: true, childList: true, characterData: true };
  new MutationObserver(translate).observe(document.body, everything);
}
