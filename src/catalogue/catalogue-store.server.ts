/** The catalogue's tables. They follow content/: what is missing there goes, what differs is rewritten. */
import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { Flag, NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import { cents } from '../platform/money.ts';
import type { Plan, Service, Solution, Testimonial } from './catalogue.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    plans: PlanTable;
    services: ServiceTable;
    solutions: SolutionTable;
    testimonials: TestimonialTable;
  }
}

interface ListedTable {
  id: number;
  name: string;
  position: number;
}

interface SoldTable extends ListedTable {
  description: string;
  features: string;
}

interface PlanTable extends SoldTable {
  priceCents: number;
  popular: Flag;
}

interface ServiceTable extends SoldTable {
  shortDescription: string;
  priceCents: number;
  priceType: string;
  image: string;
}

interface SolutionTable extends SoldTable {
  industry: string;
  image: string;
}

interface TestimonialTable extends ListedTable {
  company: string;
  comment: string;
  rating: number;
  image: string | null;
}

export interface Catalogue {
  services: Service[];
  solutions: Solution[];
  plans: Plan[];
  testimonials: Testimonial[];
}

/** Makes the four tables equal to the content, in one transaction; what is equal already is not written. */
export async function storeCatalogue(db: Kysely<Tables>, catalogue: Catalogue): Promise<void> {
  const { services, solutions, plans, testimonials } = catalogue;
  await db.transaction().execute(async (trx) => {
    await follow(trx, 'services', services.map(serviceRow));
    await follow(trx, 'solutions', solutions.map(solutionRow));
    await follow(trx, 'plans', plans.map(planRow));
    await follow(trx, 'testimonials', testimonials.map(testimonialRow));
  });
}

async function follow<Table extends keyof Catalogue>(
  trx: Kysely<Tables>,
  table: Table,
  rows: readonly (NewRow<Table> & { id: number })[],
): Promise<void> {
  // An id that no row has, for a list must not be empty in SQL.
  await trx
    .deleteFrom<keyof Catalogue>(table)
    .where('id', 'not in', [0, ...rows.map(({ id }) => id)])
    .execute();
  const stored = await trx.selectFrom<keyof Catalogue>(table).selectAll().execute();
  const known = new Map(stored.map((row) => [row.id, { ...row }]));
  for (const row of rows) {
    if (isDeepStrictEqual(known.get(row.id), row)) continue;
    await trx
      .insertInto(table)
      .values(row)
      .onConflict((on) => on.column('id').doUpdateSet(row))
      .execute();
  }
}

/** Writes the features of plans that differ from the content; gives how many did. */
export async function storePlanFeatures(
  db: Kysely<Tables>,
  plans: readonly Plan[],
): Promise<number> {
  let updated = 0;
  await db.transaction().execute(async (trx) => {
    for (const plan of plans) {
      const features = JSON.stringify(plan.features);
      const result = await trx
        .updateTable('plans')
        .set({ features })
        .where('id', '=', plan.id)
        .where('features', '!=', features)
        .executeTakeFirst();
      updated += Number(result.numUpdatedRows);
    }
  });
  return updated;
}

export async function readCatalogue(db: Kysely<Tables>): Promise<Catalogue> {
  const services = await db.selectFrom('services').selectAll().orderBy('position').execute();
  const solutions = await db.selectFrom('solutions').selectAll().orderBy('position').execute();
  const plans = await db.selectFrom('plans').selectAll().orderBy('position').execute();
  const testimonials = await db
    .selectFrom('testimonials')
    .selectAll()
    .orderBy('position')
    .execute();
  return {
    services: services.map(({ position: _, priceCents, features, ...row }) => ({
      ...row,
      price: cents(priceCents),
      features: JSON.parse(features),
    })),
    solutions: solutions.map(({ position: _, features, ...row }) => ({
      ...row,
      features: JSON.parse(features),
    })),
    plans: plans.map(planOf),
    testimonials: testimonials.map(({ position: _, image, ...row }) => ({
      ...row,
      ...(image === null ? {} : { image }),
    })),
  };
}

export async function readPlan(db: Kysely<Tables>, id: number): Promise<Plan | undefined> {
  const row = await db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst();
  return row && planOf(row);
}

function planOf({ position: _, priceCents, features, popular, ...row }: Row<'plans'>): Plan {
  return {
    ...row,
    price: cents(priceCents),
    popular: popular === 1,
    features: JSON.parse(features),
  };
}

function serviceRow({ price, features, ...row }: Service, position: number) {
  return { ...row, priceCents: price, features: JSON.stringify(features), position };
}

function solutionRow({ features, ...row }: Solution, position: number) {
  return { ...row, features: JSON.stringify(features), position };
}

function planRow({ price, features, popular, ...row }: Plan, position: number): NewRow<'plans'> {
  return {
    ...row,
    priceCents: price,
    popular: popular ? 1 : 0,
    features: JSON.stringify(features),
    position,
  };
}

function testimonialRow({ image, ...row }: Testimonial, position: number) {
  return { ...row, image: image ?? null, position };
}
