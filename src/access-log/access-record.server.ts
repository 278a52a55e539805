/** One request as it is kept: nothing in it can break out of its line, and no secret is in it. */
import { isIP } from 'node:net';
import { memoize } from '../platform/memoize.ts';

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

/** Our own addresses have a hundred characters, a campaign's some hundreds; what is longer is mostly hostile. */
const LONGEST_URL = 1000;
const LONGEST_REFERRER = 500;
const LONGEST_AGENT = 400;

/** A copy, for V8 would keep the whole of a long text for a part of it. */
function short(text: string, longest: number): string {
  return text.length <= longest ? text : Buffer.from(text.slice(0, longest)).toString();
}

/** From what a stranger sent to what may be kept. */
export function cleanRecord(record: AccessRecord): AccessRecord {
  return {
    ...record,
    ip: isIP(record.ip) ? record.ip : '',
    url: cleanAddress(record.url, LONGEST_URL),
    referrer: cleanAddress(record.referrer, LONGEST_REFERRER),
    userAgent: cleanAgent(short(record.userAgent, LONGEST_AGENT)),
  };
}

/** A few agents make most requests. */
const cleanAgent = memoize((agent) => printable(agent).slice(0, LONGEST_AGENT));

/** Cut before, for cleaning takes its time, and after, for it may be longer then. */
function cleanAddress(url: string, longest: number): string {
  return printable(withoutSecrets(short(url, longest))).slice(0, longest);
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

/** `find` is what staff search the inbox for: a person's name or address. */
const SECRET_NAME =
  /secret|token|key|passw|pwd|auth|session|signature|credential|^(code|find|quote)$/i;
/** What Stripe's secrets look like under any name. */
const SECRET_VALUE = /_secret_|^(sk|rk|whsec)_/;

/** The address of a quote is all that is needed to see it. */
const SECRET_PATH = /(\/quote\/)[^/?#]+/g;

/** Most of them: no address, a path of ours, or a page of another site. */
const HARMLESS = /^(?!.*\/quote\/)(https?:\/\/[^/?#@]+)?(\/(?!\/)[^?#]*)?$/s;

/** An address without a name and password, without its fragment, and with the values of secrets removed. */
export function withoutSecrets(url: string): string {
  if (HARMLESS.test(url)) return url;
  const [address = '', ...query] = url
    .replace(/#.*/s, '')
    .replace(SECRET_PATH, `$1${REMOVED}`)
    .split('?');
  const bare = address.replace(/^([a-z][\w+.-]*:)?\/\/[^/]*@/i, '$1//');
  if (query.length === 0) return bare;
  const parts = query
    .join('?')
    .split('&')
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      return value.length > 0 && isSecret(decoded(name), decoded(value.join('=')))
        ? `${name}=${REMOVED}`
        : part;
    });
  return `${bare}?${parts.join('&')}`;
}

function isSecret(name: string, value: string): boolean {
  // The value may be an address in turn, with secrets of its own.
  const inner = value.split(/[?&#]/).filter((part) => part.includes('='));
  return (
    SECRET_NAME.test(name) ||
    SECRET_VALUE.test(value) ||
    inner.some((part) => SECRET_NAME.test(part.split('=')[0] ?? ''))
  );
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
