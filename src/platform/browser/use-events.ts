import { useEffect, useEffectEvent } from 'react';
import { parseJson } from '../schema.ts';

const ASK_EVERY_MS = 10_000;
const ASK_EVERY_MS_WHEN_HIDDEN = 30_000;
/** The server sends a 'beat' every 15 s: a stream that is silent for longer is dead, or held back by a proxy. */
const SILENT_AFTER_MS = 40_000;
const TRY_AGAIN_MS = 60_000;

/**
 * Listens to server-sent events, which only say that something is new. Calls `onEvent` with an event's data, and with null
 * whenever one may have been missed: each time the stream opens, every 10 s while there is none (refused, blocked, or
 * silent), and every 30 s while the page is hidden, which leaves its connection to others.
 */
export function useEvents(
  url: string,
  eventName: string,
  onEvent: (data: unknown) => void,
  enabled = true,
): void {
  const notify = useEffectEvent(onEvent);
  useEffect(() => {
    if (!enabled) return;
    let source: EventSource | undefined;
    let openedAt = 0;
    let heardAt = 0;
    let timer: ReturnType<typeof setInterval> | undefined;

    function open() {
      source?.close();
      openedAt = Date.now();
      const stream = new EventSource(url);
      source = stream;
      const hear = () => {
        heardAt = Date.now();
      };
      stream.addEventListener('beat', hear);
      stream.addEventListener(eventName, ({ data }) => {
        hear();
        notify(parseJson(data) ?? null);
      });
      stream.onopen = () => notify(null);
      // A refused stream stays closed. In other cases the browser tries again by itself.
      stream.onerror = () => {
        if (stream.readyState === EventSource.CLOSED) notify(null);
      };
    }
    function ask() {
      if (Date.now() - heardAt < SILENT_AFTER_MS) return;
      notify(null);
      if (Date.now() - openedAt >= TRY_AGAIN_MS) open();
    }
    function close() {
      clearInterval(timer);
      source?.close();
      heardAt = 0;
    }
    function follow() {
      close();
      if (document.hidden) {
        timer = setInterval(() => notify(null), ASK_EVERY_MS_WHEN_HIDDEN);
      } else {
        open();
        timer = setInterval(ask, ASK_EVERY_MS);
      }
    }
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
    };
  }, [url, eventName, enabled]);
}
