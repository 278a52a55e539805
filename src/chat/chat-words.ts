/** What the chat says by itself, from content/chat.json. Part of every page's data. */
import * as z from 'zod/mini';
import { line } from '../platform/schema.ts';

const PLACE = /\{([^{}]*)\}/g;
const BRACE = /[{}]/;

/** A text with places such as {name}, which `fillIn` fills. */
export const sentence = (...places: string[]) =>
  line().check(
    z.refine(
      (text) =>
        [...text.matchAll(PLACE)].every(([, place = '']) => places.includes(place)) &&
        !BRACE.test(text.replace(PLACE, '')),
      `the only places to fill here: ${places.map((place) => `{${place}}`).join(' ') || 'none'}`,
    ),
  );

/** A function, so that the bundler can drop it from the browser's scripts. */
export const chatWordsSchema = () =>
  z.strictObject({
    greeting: sentence(),
    /** When the server's answer has no words of its own. */
    received: sentence('email'),
    reply: z.strictObject({
      thanks: sentence(),
      thanksByName: sentence('name', 'firstName'),
      open: sentence('time'),
      /** After `open`, if staff have answered so soon lately. */
      usually: sentence('minutes'),
      closed: sentence('time'),
      /** How the answer comes: with an address; without one; and where no email can be sent. */
      byEmail: sentence('email'),
      noEmail: sentence('phone'),
      here: sentence('phone'),
    }),
  });

type ChatWords = z.output<ReturnType<typeof chatWordsSchema>>;

export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACE, (_, place: string) => values[place] ?? '');
}

declare module '../platform/site.ts' {
  interface PublicSite {
    chat: ChatWords;
  }
}
