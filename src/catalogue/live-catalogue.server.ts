/** The catalogue from content/ until the database has it. A copy in memory outlives an outage. */

import { isDeepStrictEqual } from 'node:util';
import { UPDATE_PLANS_PAUSE_MS } from '../limits.ts';
import { ContentReader } from '../platform/config/content-file.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { JSON_TYPE, refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call } from '../platform/http/call.server.ts';
import { cachedText, ResponseCache } from '../platform/http/response-cache.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { logEvent } from '../platform/log.server.ts';
import { SECOND_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import {
  type Dated,
  LIST_PLANS,
  LIST_SERVICES,
  LIST_SOLUTIONS,
  type Plan,
  rowInDollars,
  type Service,
  type Solution,
  UPDATE_PLANS,
} from './catalogue.ts';
import { type AddOns, addOnPricesOn, plansSchema, pricedOn } from './catalogue-content.server.ts';
import type { AddOnPrices } from './pricing.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    catalogue: {
      list: string;
      /** JSON, as the list's call sends it. */
      items: string;
    };
  }
}

export interface Catalogue {
  services: Service[];
  solutions: Solution[];
  plans: Plan[];
}

export type LiveCatalogue = ReturnType<typeof liveCatalogue>;

interface CatalogueContent extends Catalogue {
  addOns: AddOns;
  plans: Dated<Plan>[];
}

export function liveCatalogue(
  db: Db,
  { services, solutions, plans: datedPlans, addOns }: CatalogueContent,
  today: () => string,
) {
  const plans = datedPlans.map(({ prices: _, ...plan }) => plan);
  const content = { services, solutions, plans };
  /** At today's price. Those to come are in content/ alone, so that no answer can show them. */
  const priced = (plan: Plan): Plan => {
    const prices = datedPlans.find(({ id }) => id === plan.id)?.prices;
    return pricedOn({ ...plan, prices }, today());
  };
  let unpriced: Catalogue = content;
  /** The same at the prices of `pricedDay`. */
  let current: Catalogue | undefined;
  let pricedDay = '';
  let version = 0;
  let stored = false;

  async function read(): Promise<void> {
    const latest = await readCatalogue(db);
    if (isDeepStrictEqual(latest, unpriced)) return;
    unpriced = latest;
    current = undefined;
    version += 1;
  }

  return {
    /** The copy in memory, priced once a day. */
    current(): Catalogue {
      if (!current || pricedDay !== today()) {
        pricedDay = today();
        current = { ...unpriced, plans: unpriced.plans.map(priced) };
      }
      return current;
    },
    /** What a plan includes; nothing if it is sold no more. */
    featuresOf(planId: number): string[] {
      return unpriced.plans.find(({ id }) => id === planId)?.features ?? [];
    },
    /** Changes whenever the catalogue does, and at midnight, when prices may. */
    version: () => `${version} ${today()}`,
    async store(): Promise<void> {
      await db.transaction().execute((trx) => storeCatalogue(trx, content));
      stored = true;
      await read();
    },
    /** Another instance may change the catalogue. */
    reading: () => new Interval('catalogue-read-failed', 5 * SECOND_MS, read),
    /** Gives stored plans the features of the plans in `source`. Returns how many differed. */
    async updateFeatures(source: readonly Plan[]): Promise<number> {
      const updated = await db.transaction().execute(async (trx) => {
        const before = await readCatalogue(trx);
        let differed = 0;
        const plans = before.plans.map((plan) => {
          const { features } = source.find(({ id }) => id === plan.id) ?? plan;
          if (!isDeepStrictEqual(plan.features, features)) differed += 1;
          return { ...plan, features };
        });
        if (differed > 0) await storeCatalogue(trx, { ...before, plans });
        return differed;
      });
      if (stored) await read();
      return updated;
    },
    /** Reads the database, not the copy in memory: a customer is about to be charged this price. */
    async findPlan(id: number): Promise<Plan | undefined> {
      const { plans } = stored ? await readCatalogue(db) : content;
      const plan = plans.find((one) => one.id === id);
      return plan && priced(plan);
    },
    addOnPrices: (): AddOnPrices => addOnPricesOn(addOns, today()),
  };
}

/** Writes only the lists that differ. */
async function storeCatalogue(trx: Db, catalogue: Catalogue): Promise<void> {
  const stored = await trx.selectFrom('catalogue').selectAll().execute();
  for (const [list, rows] of Object.entries(asSent(catalogue))) {
    const row = { list, items: JSON.stringify(rows) };
    if (stored.some((other) => other.list === list && other.items === row.items)) continue;
    await trx
      .insertInto('catalogue')
      .values(row)
      .onConflict((on) => on.column('list').doUpdateSet(row))
      .execute();
  }
}

export async function readCatalogue(db: Db): Promise<Catalogue> {
  const rows = await db.selectFrom('catalogue').selectAll().execute();
  const items = (list: keyof Catalogue) =>
    JSON.parse(rows.find((row) => row.list === list)?.items ?? '[]');
  return {
    services: LIST_SERVICES.answer.parse(items('services')),
    solutions: LIST_SOLUTIONS.answer.parse(items('solutions')),
    plans: LIST_PLANS.answer.parse(items('plans')),
  };
}

/** The rows as calls send and the table stores them: prices in dollars. */
function asSent({ services, solutions, plans }: Catalogue) {
  return { services: services.map(rowInDollars), solutions, plans: plans.map(rowInDollars) };
}

export function catalogueCalls({ catalogue, content }: Site): Call[] {
  /** In the bytes that are sent. */
  const lists = new ResponseCache(catalogue.version);
  const send =
    (name: keyof Catalogue) =>
    async ({ headers }: Pick<CallRequest<null>, 'headers'>) => {
      const list = await lists.get(name, () =>
        cachedText(JSON.stringify(asSent(catalogue.current())[name]), JSON_TYPE),
      );
      return list.response(headers);
    };
  return [
    call(LIST_SERVICES, 'anyone', send('services')),
    call(LIST_SOLUTIONS, 'anyone', send('solutions')),
    call(LIST_PLANS, 'anyone', send('plans')),
    updatePlans(catalogue, content.folder),
  ];
}

/** Calls within the pause share the outcome of the first. */
function updatePlans(catalogue: LiveCatalogue, contentFolder: string): Call {
  let startedAt = Number.NEGATIVE_INFINITY;
  /** How many plans changed, or 'broken' when the file is not valid. */
  let outcome: Promise<number | 'broken'>;

  async function update(): Promise<number | 'broken'> {
    const reader = new ContentReader(contentFolder);
    const plans = reader.json('catalogue/plans.json', plansSchema);
    if (plans) return catalogue.updateFeatures(plans);
    logEvent('error', 'plans-update-failed', { faults: reader.errors });
    return 'broken';
  }

  return call(UPDATE_PLANS, { access: 'anyone', limit: null }, async () => {
    const first = performance.now() - startedAt >= UPDATE_PLANS_PAUSE_MS;
    if (first) {
      startedAt = performance.now();
      outcome = update();
    }
    const updated = await outcome;
    return updated === 'broken'
      ? refuse(503, 'The plans can’t be updated right now', { retryAfter: 60 })
      : { success: true as const, updated: first ? updated : 0 };
  });
}
