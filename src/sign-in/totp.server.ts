/** Codes of authenticator apps: RFC 6238 with SHA-1, 6 digits and 30 seconds. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps that a phone's clock may be ahead or behind. */
const WINDOW = 1;
/** RFC 4226 asks for 160 bits. */
const SECRET_BYTES = 20;

const CODE = /^\d{6}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** In base32, as authenticator apps want it. */
export function newSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** What the QR code says. Apps show the issuer and the account. */
export function keyUri(issuer: string, account: string, secret: string): string {
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const parameters = `issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
  return `otpauth://totp/${name}?secret=${secret}&${parameters}`;
}

/** The step whose code this is, if it is of now and later than `lastStep`; else undefined. */
export function acceptedStep(
  secret: string,
  code: string,
  { lastStep, now }: { lastStep: number; now: number },
): number | undefined {
  if (!CODE.test(code)) return undefined;
  const current = Math.floor(now / STEP_MS);
  const steps = [current - WINDOW, current, current + WINDOW];
  const given = Buffer.from(code);
  return steps.find(
    (step) => timingSafeEqual(Buffer.from(codeOf(secret, step)), given) && step > lastStep,
  );
}

/** The code of a step: of the 30 seconds from `step * 30` seconds after 1970. */
export function codeOf(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** RFC 4648 without padding; the bytes must fill whole letters. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g) ?? [];
  return letters.map((letter) => ALPHABET[Number.parseInt(letter, 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    ALPHABET.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
