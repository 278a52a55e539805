/** /healthz: the process responds. /readyz: the site could store an order. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Db } from '../database/tables.server.ts';
import { refuse, sendJson } from './answer.server.ts';
import type { App } from './call.server.ts';

export function healthRoutes(
  app: App,
  headers: Record<string, string>,
  isReady: () => Promise<boolean>,
): void {
  // The second is basecamp/once's name for it.
  for (const path of ['/healthz', '/up'])
    app.get(path, () => sendJson({ status: 'alive' }, 200, headers));
  app.get('/readyz', async () =>
    (await isReady())
      ? sendJson({ status: 'ready' }, 200, headers)
      : refuse(503, 'not ready', { retryAfter: 5, headers }),
  );
}

/** Load balancers need an answer within this time. */
const TIMEOUT_MS = 1_500;
/** How long a result is reused, so that frequent probes do not become frequent writes. */
const REUSE_MS = 1_000;
/** As large as an order with its indexes. Random, because PostgreSQL compresses. */
const PAYLOAD = randomBytes(48 * 1024).toString('base64');

/** Resolves to whether `tryOrder` and a write succeed; probes within a second share one. */
export function writeProbe(db: Db, tryOrder: (trx: Db) => Promise<void>): () => Promise<boolean> {
  let outcome: Promise<boolean> | undefined;
  async function tryToStore(): Promise<boolean> {
    const stored = await writeRow(db, tryOrder).then(
      () => true,
      () => false,
    );
    void setTimeout(REUSE_MS, undefined, { ref: false }).then(() => {
      outcome = undefined;
    });
    return stored;
  }
  return () => {
    outcome ??= tryToStore();
    return Promise.race([outcome, setTimeout(TIMEOUT_MS, false, { ref: false })]);
  };
}

/** Inserts before deleting: on a full disk it must not reuse the old row's space. */
function writeRow(db: Db, tryOrder: (trx: Db) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await tryOrder(trx);
    const id = randomUUID();
    await trx.insertInto('writeProbes').values({ id, payload: PAYLOAD }).execute();
    await trx.deleteFrom('writeProbes').where('id', '!=', id).execute();
  });
}
