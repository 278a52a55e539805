/** A form that a browser has posted by itself, said again as the JSON that its call takes. */

import { Readable } from 'node:stream';
import type { Asked } from './capped-body.server.ts';

/** It goes on to the call as it came: where from, and whose. */
const PASSED_ON = ['origin', 'sec-fetch-site', 'cookie'];

export function asJson({ raw, url }: { raw: Request; url: string }, body: object): Asked {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  for (const name of PASSED_ON) {
    const value = raw.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return {
    request: new Request(url, { method: 'POST', headers }),
    body: Readable.from([Buffer.from(JSON.stringify(body))]),
  };
}

/** Up to a minute, or to the next ten: a finished page for each second would be too many. */
export function roughly(seconds: number): number {
  return seconds <= 60 ? 60 : Math.ceil(seconds / 600) * 600;
}
