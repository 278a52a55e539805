/** Whether the site lives and could take an order, and what is answered when something fails. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Kysely } from 'kysely';
import { isDatabaseAway } from '../database/database-away.server.ts';
import type { Tables } from '../database/tables.server.ts';
import { logEvent, logFault } from '../log.server.ts';
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

/** A path may have thousands of characters, and each refused request has one. */
const LONGEST_PATH = 200;

export function refuseFault(
  error: unknown,
  wholePath: string,
  headers: Record<string, string>,
): Response {
  const path = wholePath.slice(0, LONGEST_PATH);
  if (isDatabaseAway(error)) {
    logEvent('warn', 'database-away', { path, message: String(error) });
    return refuse(503, 'The service is unavailable right now. Please try again.', {
      retryAfter: 5,
      headers,
    });
  }
  logFault('call-failed', error, { path });
  return refuse(500, 'Something went wrong on our end. Please try again.', { headers });
}

/** A load balancer that asks wants an answer. */
const PATIENCE_MS = 1_500;
/** The same answer is given again within this time: asking often must not become writing often. */
const STANDS_MS = 1_000;
/** In bytes: an order's rows and their places in the indexes, rounded up. Random, for PostgreSQL compresses. */
const PAYLOAD = randomBytes(48 * 1024).toString('base64');

/** The answer of a trial stands for everybody who asks within a second of it. */
export function writeProbe(db: Kysely<Tables>): () => Promise<boolean> {
  let outcome: Promise<boolean> | undefined;
  const isOver = () => {
    outcome = undefined;
  };
  return () => {
    outcome ??= storeTrial(db)
      .then(
        () => true,
        () => false,
      )
      .finally(() => void setTimeout(STANDS_MS, undefined, { ref: false }).then(isOver));
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
