/**
 * Staff sign in to every test's site with the same password, whose hash is slow on purpose, so each worker computes it
 * once. Any other password or salt is hashed as usual.
 */
import crypto, { type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Callback = Parameters<typeof crypto.argon2>[2];

const worker = globalThis as typeof globalThis & { knownHashes?: Map<string, NonSharedBuffer> };

if (!worker.knownHashes) {
  const known = new Map<string, NonSharedBuffer>();
  const { argon2 } = crypto;
  worker.knownHashes = known;
  crypto.argon2 = (algorithm, parameters: Argon2Parameters, callback: Callback) => {
    const asked = JSON.stringify([algorithm, parameters]);
    const hash = known.get(asked);
    if (hash) return void setImmediate(callback, null, Buffer.from(hash));
    argon2(algorithm, parameters, (error, fresh) => {
      if (!error) known.set(asked, fresh);
      callback(error, fresh);
    });
  };
  syncBuiltinESMExports();
}
