/** One request as it is kept: nothing in it can break out of its line, and no secret is in it. */
import { isIP } from 'node:net';

export interface AccessRecord {
  /** When the request came, in milliseconds. */
  at: number;
  ip: string;
  method: string;
  url: string;
  status: number;
  /** Until the last byte of the answer was handed to the network. */
  durationUs: number;
  /** Of the body, as sent. */
  bytes: number;
  referrer: string;
  userAgent: string;
}

/** The status that log tools know for a visitor who left before there was an answer. */
export const LEFT_BEFORE_ANSWER = 499;

const LONGEST_URL = 2000;
const LONGEST_AGENT = 500;

/** From what a stranger sent to what may be kept. */
export function cleanRecord(record: AccessRecord): AccessRecord {
  return {
    ...record,
    ip: isIP(record.ip) ? record.ip : '',
    url: printable(withoutSecrets(record.url)).slice(0, LONGEST_URL),
    referrer: printable(withoutSecrets(record.referrer)).slice(0, LONGEST_URL),
    userAgent: printable(record.userAgent).slice(0, LONGEST_AGENT),
  };
}

const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Whatever is not printable ASCII becomes \xNN, byte by byte: no line breaks, no reversed text, no second line. */
function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    [...Buffer.from(character, character < '\u0100' ? 'latin1' : 'utf8')]
      .map((byte) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

export const REMOVED = 'REMOVED';

const SECRET_NAME = /secret|token|key|passw|pwd|auth|session|signature|credential|code/i;
/** A secret inside another value, such as an address that is handed on, or one that has no telling name. */
const SECRET_VALUE = /(secret|token|key|passw|pwd|auth|session|signature|credential)[^=&]*[=_]|^(sk|rk|whsec)_/i;

/** An address without a name and password, without its fragment, and with the values of secrets removed. */
export function withoutSecrets(url: string): string {
  if (url.startsWith('/') && !url.includes('?') && !url.includes('#')) return url;
  const [address = '', ...query] = url.replace(/#.*$/s, '').split('?');
  const bare = address.replace(/^([a-z][\w+.-]*:)?\/\/[^/]*@/i, '$1//');
  if (query.length === 0) return bare;
  const parts = query.join('?').split('&').map((part) => {
    const [name = '', ...value] = part.split('=');
    const secret = SECRET_NAME.test(decoded(name)) || SECRET_VALUE.test(decoded(value.join('=')));
    return value.length > 0 && secret ? `${name}=${REMOVED}` : part;
  });
  return `${bare}?${parts.join('&')}`;
}

/** What an address may hide by encoding it, even twice. */
function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round < 2 && plain.includes('%'); round += 1) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      return plain;
    }
  }
  return plain;
}
