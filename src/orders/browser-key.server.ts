/** The cookie by which a browser is known again as the one that has placed an order, or has opened a link to change it. */
import { type Cookies, newToken, tokenHash } from '../platform/http/cookies.server.ts';

const ACCESS_SECONDS = 90 * 24 * 60 * 60;

export interface BrowserKey {
  hash: string;
  /** The browser has sent it. */
  isKnown: boolean;
  /** Has the browser keep it. */
  setCookie: [name: 'Set-Cookie', value: string];
}

/** The browser's key, or a new one; what cannot be a key is not taken for one. */
export function readOrNewKey(cookies: Cookies, headers: Headers): BrowserKey {
  const sent = cookies.read(headers.get('cookie'), 'order_key');
  const known = tokenHash(sent);
  const token = sent !== undefined && known ? sent : newToken();
  return {
    hash: known ?? tokenHash(token) ?? '',
    isKnown: known !== undefined,
    setCookie: ['Set-Cookie', cookies.write('order_key', token, ACCESS_SECONDS)],
  };
}
