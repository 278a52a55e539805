/**
 * Staff passwords: argon2id (OWASP's 19 MiB and 2 passes), two hashes at once at most. A long queue refuses strangers, so
 * that guessing from many addresses keeps nobody out who comes from a known browser.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const MOST_AT_ONCE = 2;
/** Half a second's worth on two cores. */
export const LONGEST_QUEUE = 40;

const hashAsync = promisify(argon2);

/** 'argon2id$19456$2$<salt>$<hash>', salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  await takeTurn('known');
  const hash = await derive(password, salt);
  return [
    'argon2id',
    MEMORY_KIB,
    PASSES,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
}

/**
 * Takes equally long for a stored hash that does not exist, so that names cannot be guessed by the clock. Undefined for
 * a stranger when too many are waiting already.
 */
export async function passwordMatches(
  password: string,
  stored: string | undefined,
  who: Who,
): Promise<boolean | undefined> {
  if (!(await takeTurn(who))) return undefined;
  const [, , , salt = '', hash = ''] = (stored ?? '').split('$');
  const derived = await derive(
    password,
    salt === '' ? randomBytes(16) : Buffer.from(salt, 'base64url'),
  );
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

type Who = 'known' | 'stranger';

let running = 0;
const waiting: (() => void)[] = [];

/** Waits until one may begin; false for a stranger who is not to wait. */
async function takeTurn(who: Who): Promise<boolean> {
  if (running < MOST_AT_ONCE) running += 1;
  else if (who === 'stranger' && waiting.length >= LONGEST_QUEUE) return false;
  else await new Promise<void>((go) => waiting.push(go));
  return true;
}

/** In one's turn, which it ends. */
async function derive(password: string, nonce: Buffer): Promise<Buffer> {
  try {
    return await hashAsync('argon2id', {
      message: password.normalize('NFC'),
      nonce,
      parallelism: 1,
      tagLength: 32,
      memory: MEMORY_KIB,
      passes: PASSES,
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
