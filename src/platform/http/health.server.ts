/** Whether the site lives, and could take an order. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.server.ts';
import { refuse, sendJson } from './answer.server.ts';

export function healthRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  headers: Record<string, string>,
  isReady: () => Promise<boolean>,
): void {
  const own = Object.entries(headers);
  app.get('/healthz', () => sendJson({ status: 'alive' }, 200, own));
  app.get('/readyz', async () =>
    (await isReady())
      ? sendJson({ status: 'ready' }, 200, own)
      : refuse(503, 'not ready', { retryAfter: 5, headers }),
  );
}

/** A load balancer needs an answer within this time. */
const PATIENCE_MS = 1_500;
/** The same answer is given again within this time: asking often must not become writing often. */
const STANDS_MS = 1_000;
/** In bytes: an order's rows and their places in the indexes, rounded up. Random, for PostgreSQL compresses. */
const PAYLOAD = randomBytes(48 * 1024).toString('base64');

/** The result of a trial write is the answer to everybody who asks within a second of it. */
export function writeProbe(db: Kysely<Tables>): () => Promise<boolean> {
  let outcome: Promise<boolean> | undefined;
  async function tryToStore(): Promise<boolean> {
    const stored = await storeTrial(db).then(
      () => true,
      () => false,
    );
    void setTimeout(STANDS_MS, undefined, { ref: false }).then(() => {
      outcome = undefined;
    });
    return stored;
  }
  return () => {
    outcome ??= tryToStore();
    return Promise.race([outcome, setTimeout(PATIENCE_MS, false, { ref: false })]);
  };
}

/** The new row before the old ones go: it needs room of its own, as an order does. */
function storeTrial(db: Kysely<Tables>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const id = randomUUID();
    await trx.insertInto('writeProbes').values({ id, payload: PAYLOAD }).execute();
    await trx.deleteFrom('writeProbes').where('id', '!=', id).execute();
  });
}
