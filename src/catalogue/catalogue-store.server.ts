/** The catalogue's table. It follows content/: what is missing there goes, what differs is rewritten. */
import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import {
  inDollars,
  LIST_PLANS,
  LIST_SERVICES,
  LIST_SOLUTIONS,
  type Plan,
  type Service,
  type Solution,
} from './catalogue.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    catalogue: CatalogueTable;
  }
}

interface CatalogueTable {
  list: string;
  id: number;
  position: number;
  /** JSON, as the list's call sends it. */
  item: string;
}

export interface Catalogue {
  services: Service[];
  solutions: Solution[];
  plans: Plan[];
}

/** With prices in dollars. */
export function asSent({ services, solutions, plans }: Catalogue) {
  return { services: services.map(inDollars), solutions, plans: plans.map(inDollars) };
}

/** Makes the table equal to the content, in one transaction; what is equal already is not written. */
export async function storeCatalogue(db: Kysely<Tables>, catalogue: Catalogue): Promise<void> {
  const rows = Object.entries(asSent(catalogue)).flatMap(([list, items]) =>
    items.map((item, position) => ({ list, id: item.id, position, item: JSON.stringify(item) })),
  );
  await db.transaction().execute(async (trx) => {
    const stored = await trx.selectFrom('catalogue').selectAll().execute();
    for (const { list, id } of stored)
      if (!rows.some((row) => row.list === list && row.id === id))
        await trx.deleteFrom('catalogue').where('list', '=', list).where('id', '=', id).execute();
    for (const row of rows)
      if (!stored.some((each) => isDeepStrictEqual({ ...each }, row)))
        await trx
          .insertInto('catalogue')
          .values(row)
          .onConflict((on) => on.columns(['list', 'id']).doUpdateSet(row))
          .execute();
  });
}

/** Writes the features of plans that differ from the content; gives how many did. */
export async function storePlanFeatures(
  db: Kysely<Tables>,
  plans: readonly Plan[],
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const stored = await readCatalogue(trx);
    let updated = 0;
    for (const { id, features } of plans) {
      const plan = stored.plans.find((each) => each.id === id);
      if (!plan || isDeepStrictEqual(plan.features, features)) continue;
      await trx
        .updateTable('catalogue')
        .set({ item: JSON.stringify(inDollars({ ...plan, features })) })
        .where('list', '=', 'plans')
        .where('id', '=', id)
        .execute();
      updated += 1;
    }
    return updated;
  });
}

export async function readCatalogue(db: Kysely<Tables>): Promise<Catalogue> {
  const rows = await db.selectFrom('catalogue').selectAll().orderBy('position').execute();
  const items = (list: keyof Catalogue) =>
    rows.filter((row) => row.list === list).map(({ item }) => JSON.parse(item));
  return {
    services: LIST_SERVICES.answer.parse(items('services')),
    solutions: LIST_SOLUTIONS.answer.parse(items('solutions')),
    plans: LIST_PLANS.answer.parse(items('plans')),
  };
}
