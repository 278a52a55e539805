/**
 * Where the visitor was on each entry of the history, so that back and forward lead there again. The browser
 * cannot do it here: it would scroll before the page of the entry has been drawn.
 */
import { ADDRESS_CHANGES } from '../platform/browser/address-changes.ts';
import { focusOn } from '../ui/focus/focus-on.ts';
import { entryKey, readPositions, storePositions } from './scroll-positions.ts';

/** So long a page may still grow (lists that arrive) before the place that was wanted is let go. */
const SETTLE_MS = 2000;

export class ScrollMemory {
  readonly #positions = readPositions();
  #entry = '';
  /** The current entry was left before and is now being returned to. */
  #returning = false;
  #drawnPath: string;
  #stopSettling = () => {};

  constructor(firstPath: string) {
    this.#drawnPath = firstPath;
  }

  /** Call it before wouter's hooks listen, which may draw the next page at once. */
  listen(): () => void {
    const listening = new AbortController();
    const on = (type: string, listener: () => void) =>
      window.addEventListener(type, listener, { signal: listening.signal });

    this.#entry = entryKey();
    history.scrollRestoration = 'manual';
    // A reload, or back from another document; once more back, perhaps, before this script had come.
    this.#returning = this.#positions.has(this.#entry);
    if (this.#returning) this.#settleAt(this.#entry);

    // A link to a place on the page fires `popstate` before the browser scrolls there.
    for (const type of ADDRESS_CHANGES) {
      on(type, () => this.#entryChanged(type === 'pushState'));
    }
    on('pagehide', () => {
      storePositions(this.#positions.set(this.#entry, window.scrollY));
      history.scrollRestoration = 'auto';
    });
    on('pageshow', () => {
      history.scrollRestoration = 'manual';
    });
    return () => listening.abort();
  }

  /** Whether the current entry is shown from its top, and not from where it was left or from its hash. */
  leadsToTop(): boolean {
    return !this.#returning && !window.location.hash;
  }

  /** To be called when a page has been drawn. */
  drawn(path: string): void {
    if (path === this.#drawnPath) return;
    this.#drawnPath = path;
    this.#arrive();
  }

  /** To where the page was left, to its hash, or to its top. */
  #arrive(): void {
    const target = hashTarget();
    if (this.#returning) {
      this.#settleAt(this.#entry);
      focusOn(document.getElementById('main'));
    } else if (target) {
      window.scrollTo({ top: 0, behavior: 'instant' });
      this.#settle(() => target.scrollIntoView());
      focusOn(target);
    } else {
      this.#stopSettling();
      window.scrollTo({ top: 0, behavior: 'instant' });
      focusOn(document.getElementById('main'));
    }
  }

  #entryChanged(pushed: boolean): void {
    const left = this.#entry;
    this.#entry = entryKey();
    if (this.#entry === left) return;
    this.#positions.set(left, window.scrollY);
    this.#returning = this.#positions.has(this.#entry);
    this.#stopSettling();
    if (window.location.pathname !== this.#drawnPath) return;
    if (this.#returning) this.#settleAt(this.#entry);
    // A link to the page that is open; to a place on it the browser goes itself.
    else if (pushed) this.#arrive();
  }

  #settleAt(entry: string): void {
    const top = this.#positions.get(entry) ?? 0;
    this.#settle(() => window.scrollTo({ top, behavior: 'instant' }));
  }

  /** Goes there, and again whenever the page changes its height, until the visitor scrolls or time is up. */
  #settle(go: () => void): void {
    this.#stopSettling();
    go();
    const listening = new AbortController();
    const observer = new ResizeObserver(go);
    this.#stopSettling = () => {
      observer.disconnect();
      listening.abort();
    };
    observer.observe(document.body);
    for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
      window.addEventListener(type, () => this.#stopSettling(), {
        signal: listening.signal,
        passive: true,
      });
    }
    setTimeout(this.#stopSettling, SETTLE_MS);
  }
}

/** The element that the address names behind its #. */
function hashTarget(): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
  } catch {
    return null;
  }
}
