/** The pages that this document has loaded, and those that the visitor is about to ask for. */
import { NEWS } from '../news/news-address.ts';
import { ADDRESS_CHANGES } from '../platform/browser/address-changes.ts';
import { fetchParts } from '../platform/browser/part.tsx';
import { fetchCall } from '../platform/fetch-call.ts';
import { anything } from '../platform/read.ts';
import { leadsToPage, linkAt } from './followed-link.ts';
import { EXPECT_PAGE, loadPage, pageModules, type ShownPage, VISIT_PAGE } from './pages.ts';

/** After the last move or scroll: somebody who passes by looks at nothing. */
const STILL_MS = 400;
/** What nobody has asked for by then may have changed. */
const FRESH_MS = 5 * 60_000;
/** Beyond so many pages only those are fetched that the pointer reaches. */
const MOST_SEEN = 16;
/** A page that is here has been drawn by then; it should not wait for a fetch. */
const DRAWN_BY_MS = 200;

export class PagePrefetch {
  readonly #pages: Map<string, Promise<ShownPage>>;

  constructor(first: ShownPage) {
    this.#pages = new Map([[first.view.path, Promise.resolve(first)]]);
  }

  /**
   * The page at once when it is here. It is fetched all the same, once it is drawn: that is how the server counts the
   * visit, and what has changed is there the next time.
   */
  visit(path: string): Promise<ShownPage> {
    const kept = this.#pages.get(path);
    if (!kept) return this.#fetch(path);
    return kept.then(
      (page) => {
        setTimeout(() => this.#fetch(path), DRAWN_BY_MS);
        return page;
      },
      () => this.#fetch(path),
    );
  }

  #fetch(path: string): Promise<ShownPage> {
    const fetched = load(VISIT_PAGE, path);
    fetched.then(
      () => this.#pages.set(path, fetched),
      () => undefined,
    );
    return fetched;
  }

  /**
   * Fetches the page of a link when the pointer or the focus reaches it, and those of the links in sight once the page
   * stands still; gives the end of that. A finger is too late for the first: Chromium handles no answer until it lifts.
   */
  listen(): () => void {
    const listening = new AbortController();
    const on = (target: EventTarget, type: string, listener: (event: Event) => void) =>
      target.addEventListener(type, listener, {
        signal: listening.signal,
        passive: true,
        capture: true,
      });
    for (const type of ['pointerover', 'focusin'])
      on(document, type, ({ target }) => this.#expect(linkAt(target)));
    // It may have been this pointer that called the script.
    this.#expect(document.querySelector('a:hover, a:focus'));

    let stillness: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(stillness);
      stillness = setTimeout(() => this.#expectSeen(), STILL_MS);
    };
    for (const type of ['scroll', ...ADDRESS_CHANGES]) on(window, type, wait);
    wait();
    return () => {
      clearTimeout(stillness);
      listening.abort();
    };
  }

  /** One after the other, so that whatever is touched meanwhile is answered in between. */
  async #expectSeen(): Promise<void> {
    if (Reflect.get(navigator, 'connection')?.saveData) return;
    const seen = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(isInSight);
    for (const link of seen) {
      if (this.#pages.size < MOST_SEEN) await this.#expect(link)?.catch(() => undefined);
    }
  }

  #expect(link: HTMLAnchorElement | null): Promise<ShownPage> | undefined {
    if (!link || !leadsToPage(link)) return undefined;
    const path = link.pathname;
    const known = this.#pages.get(path);
    if (known) return known;
    const ahead = load(EXPECT_PAGE, path);
    this.#pages.set(path, ahead);
    // A visit has put another in its place by then, if there was one.
    const forget = () => this.#pages.get(path) === ahead && this.#pages.delete(path);
    ahead.then(() => setTimeout(forget, FRESH_MS), forget);
    return ahead;
  }
}

function isInSight(link: HTMLAnchorElement): boolean {
  const { top, bottom, width } = link.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < window.innerHeight;
}

function load(contract: typeof VISIT_PAGE, path: string): Promise<ShownPage> {
  const query = new URLSearchParams({ path });
  const data = fetchCall(contract, anything, { query });
  // Not after the data; should it fail, it is missed when they are here.
  fetchScript(path).catch(() => undefined);
  return data.then(async (view) => {
    const page = await loadPage(view, path);
    await fetchParts();
    return page;
  });
}

/** The script of a page that its address tells; the data tell of the others. */
async function fetchScript(path: string): Promise<void> {
  if (path === '/') await Promise.all([pageModules.home(), import('../home/home-parts.tsx')]);
  else if (path === NEWS.path) await pageModules.news();
  else if (path.startsWith(`${NEWS.path}/`)) await pageModules.article();
}
