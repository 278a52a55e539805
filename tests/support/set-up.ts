/**
 * Shared by all tests of a worker: undoes what a test replaces, ends the processes that it left,
 * captures the server's log, caches password hashes, compresses pages quickly, and waits for
 * PostgreSQL as long as a busy machine needs.
 */
import { spawnSync } from 'node:child_process';
import crypto, { type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { promisify } from 'node:util';
import zlib, { type CompressCallback } from 'node:zlib';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { PAYMENT_CHECK_PAUSE_MS, PRICE_CHANGE_PAUSE_MS } from '../../src/limits.ts';
import { TIMEOUT_MS } from './test-plan.ts';

// Tests share a worker's globals: what one test replaces would mislead the next.
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

// A failed test does not get to the line that stops its server. After the file's own hooks.
afterAll(() => {
  spawnSync('pkill', ['-KILL', '-P', String(process.pid)]);
});

/** Lines of log that are kept. */
const KEPT = 200;
let lines: string[] = [];
const write = process.stderr.write.bind(process.stderr);

// The server's log is shown only for tests that fail.
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

declare global {
  /** By the algorithm and its parameters, as JSON. */
  var knownHashes: Map<string, Promise<Buffer>> | undefined;
}

// Staff sign in to every test's site with the same password, and its hash is slow on purpose.
if (!globalThis.knownHashes) {
  // The run has been killed.
  process.once('disconnect', () => process.exit());
  const known = new Map<string, Promise<Buffer>>();
  const { argon2 } = crypto;
  const hashOf = promisify(argon2);
  globalThis.knownHashes = known;
  crypto.argon2 = (algorithm, parameters: Argon2Parameters, callback: Callback) => {
    const key = JSON.stringify([algorithm, parameters]);
    const hash = known.get(key) ?? hashOf(algorithm, parameters);
    known.set(key, hash);
    // Fifty guesses at once are one hash.
    hash.then(
      (bytes) => callback(null, Buffer.from(bytes)),
      (error) => callback(error, Buffer.alloc(0)),
    );
  };
  // A page takes up to 100 ms in the best quality, and each test's site makes those that it sends.
  const { brotliCompress } = zlib;
  const quick = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
  zlib.brotliCompress = ((bytes: Buffer, _: object, done: CompressCallback) =>
    brotliCompress(bytes, quick, done)) as typeof brotliCompress;
  // Between looks at a payment, and between new prices at Stripe; unless `patient`.
  const { setTimeout } = timers;
  const pauses = [PAYMENT_CHECK_PAUSE_MS, PRICE_CHANGE_PAUSE_MS];
  timers.setTimeout = (ms = 0, ...rest) =>
    setTimeout(pauses.includes(ms) && !('patient' in globalThis) ? ms / 20 : ms, ...rest);
  syncBuiltinESMExports();

  // The site refuses a request whose connection takes 1.5 s, as it can while many tests start.
  pg.Pool = class extends pg.Pool {
    constructor(options?: pg.PoolConfig) {
      super({ ...options, connectionTimeoutMillis: TIMEOUT_MS });
    }
  };
}
