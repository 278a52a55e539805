/** argon2id with OWASP's 19 MiB and 2 passes, two at once. A full queue refuses strangers. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { MAX_SIGN_INS_WAITING } from '../limits.ts';
import { places } from '../platform/places.server.ts';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const MAX_CONCURRENT = 2;

const hashAsync = promisify(argon2);

/** 'argon2id$19456$2$<salt>$<hash>', salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt);
  return [
    'argon2id',
    MEMORY_KIB,
    PASSES,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
}

/** Takes as long without a stored hash. Undefined to a stranger if the queue is full. */
export async function passwordMatches(
  password: string,
  stored: string | undefined,
  who: 'known' | 'stranger',
): Promise<boolean | undefined> {
  if (who === 'stranger' && asked >= MAX_CONCURRENT + MAX_SIGN_INS_WAITING) return undefined;
  const [, , , salt = '', hash = ''] = (stored ?? '').split('$');
  const derived = await derive(
    password,
    salt === '' ? randomBytes(16) : Buffer.from(salt, 'base64url'),
  );
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

const inTurn = places(MAX_CONCURRENT);
/** Running and waiting. */
let asked = 0;

async function derive(password: string, nonce: Buffer): Promise<Buffer> {
  asked += 1;
  try {
    return await inTurn(() =>
      hashAsync('argon2id', {
        message: password.normalize('NFC'),
        nonce,
        parallelism: 1,
        tagLength: 32,
        memory: MEMORY_KIB,
        passes: PASSES,
      }),
    );
  } finally {
    asked -= 1;
  }
}
