/** GET /api/services, /api/solutions and /api/plans, and the call that lets plan features follow the content. */
import type { Kysely } from 'kysely';
import { answer, refuse } from '../platform/answer.server.ts';
import { type AnyCall, call } from '../platform/call.server.ts';
import { ContentReader, InvalidContent } from '../platform/content-file.server.ts';
import { logFault } from '../platform/log.server.ts';
import { type Cents, toDollars } from '../platform/money.ts';
import type { Tables } from '../platform/tables.server.ts';
import { plansSchema } from './catalogue.ts';
import { storePlanFeatures } from './catalogue-store.server.ts';
import type { LiveCatalogue } from './live-catalogue.server.ts';

interface Ground {
  db: Kysely<Tables>;
  catalogue: LiveCatalogue;
  contentFolder: string;
}

export function catalogueCalls(ground: Ground): AnyCall[] {
  const { catalogue } = ground;
  const list = (path: `/api/${string}`, rows: () => Promise<readonly object[]>) =>
    call({ method: 'GET', path, access: 'anyone', answer: async () => answer(await rows()) });
  return [
    list('/api/services', async () => (await catalogue.fresh()).services.map(inDollars)),
    list('/api/solutions', async () => (await catalogue.fresh()).solutions),
    list('/api/plans', async () => (await catalogue.fresh()).plans.map(inDollars)),
    updatePlans(ground),
  ];
}

/** A row as it travels in JSON. */
export function inDollars<Row extends { price: Cents }>(
  row: Row,
): Omit<Row, 'price'> & { price: number } {
  return { ...row, price: toDollars(row.price) };
}

/** How often an anonymous call may cause a look at the files, in milliseconds. */
const UPDATE_PAUSE_MS = 10_000;

/** Anyone may call it, so it takes no input, runs once at a time, and writes nothing when nothing differs. */
function updatePlans({ db, catalogue, contentFolder }: Ground): AnyCall {
  let lastUpdate = Number.NEGATIVE_INFINITY;
  let running: Promise<number> | undefined;

  async function update(): Promise<number> {
    const reader = new ContentReader(contentFolder);
    const plans = reader.json('catalogue/plans.json', plansSchema);
    reader.finish();
    const updated = plans ? await storePlanFeatures(db, plans) : 0;
    if (updated > 0) await catalogue.fresh();
    lastUpdate = performance.now();
    return updated;
  }

  return call({
    method: 'POST',
    path: '/api/update-plans',
    access: 'anyone',
    limit: null,
    answer: async () => {
      if (performance.now() - lastUpdate < UPDATE_PAUSE_MS)
        return answer({ success: true, updated: 0 });
      running ??= update().finally(() => {
        running = undefined;
      });
      try {
        return answer({ success: true, updated: await running });
      } catch (error) {
        if (!(error instanceof InvalidContent)) throw error;
        logFault('plans-not-updated', error);
        return refuse(503, 'The plans cannot be updated at the moment', { retryAfter: 60 });
      }
    },
  });
}
