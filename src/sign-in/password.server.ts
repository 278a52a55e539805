/** argon2id with OWASP's 19 MiB and 2 passes. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const MEMORY_KIB = 19_456;
const PASSES = 2;
/** At once: threads remain for other work, and staff do not wait for strangers who guess. */
const inTurn = { known: places(1), stranger: places(2) };

const hashAsync = promisify(argon2);

/** 'argon2id$19456$2$<salt>$<hash>', salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, 'known');
  return [
    'argon2id',
    MEMORY_KIB,
    PASSES,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
}

/** Takes as long without a stored hash. `who`: the browser that sends it. */
export async function passwordMatches(
  password: string,
  stored: string | undefined,
  who: keyof typeof inTurn,
): Promise<boolean> {
  const [, , , salt = '', hash = ''] = (stored ?? '').split('$');
  const derived = await derive(
    password,
    salt === '' ? randomBytes(16) : Buffer.from(salt, 'base64url'),
    who,
  );
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

function derive(password: string, nonce: Buffer, who: keyof typeof inTurn): Promise<Buffer> {
  return inTurn[who](() =>
    hashAsync('argon2id', {
      message: password.normalize('NFC'),
      nonce,
      parallelism: 1,
      tagLength: 32,
      memory: MEMORY_KIB,
      passes: PASSES,
    }),
  );
}

/** Returns what runs work as soon as one of `count` places is free, in turn. */
function places(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
