import { refuse } from './answer.server.ts';
import { type Asked, isTooLarge, readCapped, type Unread } from './capped-body.server.ts';

type Read = { body: unknown } | { refusal: Response };

/** Reads the body as far as a call wants it, and refuses what is of another type, too large, or not JSON. */
export async function readBody(asked: Asked, kind: 'json' | 'text' | 'none'): Promise<Read> {
  const { request } = asked;
  if (kind === 'none')
    return isTooLarge(request) ? { refusal: refuseUnread('too large') } : { body: null };
  if (
    kind === 'json' &&
    !/^application\/json(\s*;\s*charset="?utf-8"?)?\s*$/i.test(
      request.headers.get('content-type') ?? '',
    )
  ) {
    return { refusal: refuse(415, 'Please send JSON (Content-Type: application/json)') };
  }
  const bytes = await readCapped(asked);
  if (typeof bytes === 'string') return { refusal: refuseUnread(bytes) };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { body: kind === 'json' ? JSON.parse(text) : text };
  } catch {
    return { refusal: refuse(400, 'The request is not valid JSON') };
  }
}

/** The connection of a body that is given up is closed, or the rest of it would have to be read all the same. */
function refuseUnread(why: Unread): Response {
  const headers = { Connection: 'close' };
  switch (why) {
    case 'broken off':
      return refuse(400, 'The request was cut off');
    case 'crumbs':
      return refuse(400, 'The request arrived in too many pieces', { headers });
    case 'too slow':
      return refuse(408, 'The request took too long to arrive', { headers });
    case 'too large':
      return refuse(413, 'The request is larger than 64 KiB');
  }
}

/** Several times as many as the longest form has. */
const MAX_FIELDS = 200;

/** The fields of a form that a browser posted by itself; of a field that comes twice, the last. */
export async function readForm(
  asked: Asked,
): Promise<{ fields: Record<string, string> } | { refusal: Response }> {
  const type = asked.request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return { refusal: refuse(415, 'Please send a form (application/x-www-form-urlencoded)') };
  }
  const read = await readBody(asked, 'text');
  if ('refusal' in read) return read;
  const text = String(read.body);
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) {
    return { refusal: refuse(400, 'The request has too many fields') };
  }
  return { fields: Object.fromEntries(new URLSearchParams(text)) };
}
