/** Staff passwords: argon2id (OWASP's 19 MiB and 2 passes), two hashes at once at most. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const MOST_AT_ONCE = 2;

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

/** Takes equally long for a stored hash that does not exist, so that names cannot be guessed by the clock. */
export async function passwordMatches(
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const [, , , salt = '', hash = ''] = (stored ?? '').split('$');
  const derived = await derive(
    password,
    salt === '' ? randomBytes(16) : Buffer.from(salt, 'base64url'),
  );
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, nonce: Buffer): Promise<Buffer> {
  if (running >= MOST_AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
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
