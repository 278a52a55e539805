/** What the tests of a worker share: real timers, the server's log, and hashes that are known already. */
import crypto, { type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

// The files of a worker share its globals: a timer that one of them left replaced would stand still in the next.
afterAll(() => {
  vi.useRealTimers();
});

/** In lines; the last ones tell most. */
const KEPT = 200;
let lines: string[] = [];
const write = process.stderr.write.bind(process.stderr);

// What the server under test logs is kept back, and shown beside a test that fails.
process.stderr.write = ((...sent: Parameters<typeof write>) => {
  const [text] = sent;
  if (typeof text !== 'string' || !text.startsWith('{"at":')) return write(...sent);
  lines.push(text);
  if (lines.length > KEPT) lines = lines.slice(-KEPT);
  return true;
}) as typeof write;

beforeEach(() => {
  lines = [];
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail' && lines.length > 0)
    write(`The server's log during '${task.name}':\n${lines.join('')}`);
});

type Callback = Parameters<typeof crypto.argon2>[2];

const worker = globalThis as typeof globalThis & { knownHashes?: Map<string, NonSharedBuffer> };

// Staff sign in to every test's site with the same password, whose hash is slow on purpose.
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
