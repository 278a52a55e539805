import { useEffect, useEffectEvent } from 'react';
import { parseJson } from '../schema.ts';

const ASK_EVERY_MS = 10_000;
const ASK_EVERY_MS_WHEN_HIDDEN = 30_000;
/** After the first failure; then at the interval. */
const ASK_AGAIN_MS = 2_000;
/** The server sends a beat every 10 s: a stream silent for longer is dead or held by a proxy. */
const SILENT_AFTER_MS = 25_000;
/** Then a refused stream is tried again. */
const REFUSED_FOR_MS = 60_000;

/**
 * Listens to server-sent events. `fetchNews` gets an event's data, or null if any may have been
 * missed: when the stream opens, every 10 s without one, every 30 s on a hidden page, and when the
 * browser is online again. Until it succeeds, it is called again.
 */
export function useEvents(
  url: string,
  eventName: string,
  fetchNews: (data: unknown) => Promise<unknown>,
  enabled = true,
): void {
  const fetchFrom = useEffectEvent(fetchNews);
  useEffect(() => {
    if (!enabled) return;
    let source: EventSource | undefined;
    let heardAt = 0;
    /** Whether a call has failed since everything was fetched. */
    let missed = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    let opening: ReturnType<typeof setTimeout> | undefined;
    let timer: ReturnType<typeof setInterval> | undefined;

    function ask(data: unknown = null) {
      const about = missed ? null : data;
      fetchFrom(about).then(
        () => {
          if (about === null) missed = false;
        },
        () => {
          // The first time soon, even if a call that began before it succeeds meanwhile.
          if (!missed) again = setTimeout(ask, ASK_AGAIN_MS);
          missed = true;
        },
      );
    }
    function openIn(ms: number) {
      clearTimeout(opening);
      opening = setTimeout(open, ms);
    }
    function open() {
      source?.close();
      heardAt = 0;
      openIn(SILENT_AFTER_MS);
      const stream = new EventSource(url);
      source = stream;
      const hear = () => {
        heardAt = performance.now();
        openIn(SILENT_AFTER_MS);
      };
      stream.addEventListener('beat', hear);
      stream.addEventListener(eventName, ({ data }) => {
        hear();
        ask(parseJson(data) ?? null);
      });
      stream.onopen = () => ask();
      stream.onerror = () => {
        // In other cases the browser tries again by itself.
        if (stream.readyState !== EventSource.CLOSED) return;
        ask();
        openIn(REFUSED_FOR_MS);
      };
    }
    function askIfSilent() {
      if (missed || performance.now() - heardAt >= SILENT_AFTER_MS) ask();
    }
    function close() {
      clearInterval(timer);
      clearTimeout(again);
      clearTimeout(opening);
      source?.close();
    }
    function follow() {
      close();
      if (document.hidden) {
        timer = setInterval(() => ask(), ASK_EVERY_MS_WHEN_HIDDEN);
      } else {
        open();
        timer = setInterval(askIfSilent, ASK_EVERY_MS);
      }
    }
    const onOnline = () => {
      ask();
      if (!document.hidden) open();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      removeEventListener('online', onOnline);
      close();
    };
  }, [url, eventName, enabled]);
}
