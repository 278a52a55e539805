/** Reads a stream of server-sent events as a browser does. */
import { onTestFinished } from 'vitest';
import type { Visitor } from './visitor.ts';

interface ReadEvent {
  event: string;
  data: string;
}

export interface EventReader {
  status: number;
  headers: Headers;
  /** All but the heartbeat. */
  events: ReadEvent[];
  beats: number;
  ended: boolean;
  close(): void;
}

export async function listen(
  { origin, cookies, address }: Visitor,
  path: string,
): Promise<EventReader> {
  const closing = new AbortController();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(origin + path, {
    headers: { 'X-Forwarded-For': address, Cookie: cookie },
    signal: closing.signal,
  });
  const { status } = response;
  const reader: EventReader = {
    status,
    headers: response.headers,
    events: [],
    beats: 0,
    ended: false,
    close: () => closing.abort(),
  };
  onTestFinished(reader.close);
  void read(response, reader).catch(() => undefined);
  return reader;
}

async function read(response: Response, reader: EventReader): Promise<void> {
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? '';
      const event = { event: field('event'), data: field('data') };
      if (event.event === 'beat') reader.beats += 1;
      else reader.events.push(event);
    }
  }
  reader.ended = true;
}
