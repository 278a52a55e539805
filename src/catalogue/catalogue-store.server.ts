/** The catalogue's tables. They follow content/: what is missing there goes, what differs is rewritten. */
import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { NewRow, Tables } from '../platform/database/tables.server.ts';
import { cents } from '../platform/money.ts';
import type { Plan, Service, Solution, Testimonial } from './catalogue.ts';

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
    await dropOthers(trx, 'services', services);
    const servicesStored = await trx.selectFrom('services').selectAll().execute();
    for (const row of changed(services.map(serviceRow), servicesStored)) {
      await trx
        .insertInto('services')
        .values(row)
        .onConflict((on) => on.column('id').doUpdateSet(row))
        .execute();
    }
    await dropOthers(trx, 'solutions', solutions);
    const solutionsStored = await trx.selectFrom('solutions').selectAll().execute();
    for (const row of changed(solutions.map(solutionRow), solutionsStored)) {
      await trx
        .insertInto('solutions')
        .values(row)
        .onConflict((on) => on.column('id').doUpdateSet(row))
        .execute();
    }
    await dropOthers(trx, 'plans', plans);
    const plansStored = await trx.selectFrom('plans').selectAll().execute();
    for (const row of changed(plans.map(planRow), plansStored)) {
      await trx
        .insertInto('plans')
        .values(row)
        .onConflict((on) => on.column('id').doUpdateSet(row))
        .execute();
    }
    await dropOthers(trx, 'testimonials', testimonials);
    const testimonialsStored = await trx.selectFrom('testimonials').selectAll().execute();
    for (const row of changed(testimonials.map(testimonialRow), testimonialsStored)) {
      await trx
        .insertInto('testimonials')
        .values(row)
        .onConflict((on) => on.column('id').doUpdateSet(row))
        .execute();
    }
  });
}

function changed<Row extends { id: number }>(
  rows: readonly Row[],
  stored: readonly { id: number }[],
): Row[] {
  const known = new Map(stored.map((row) => [row.id, { ...row }]));
  return rows.filter((row) => !isDeepStrictEqual(known.get(row.id), row));
}

async function dropOthers(
  trx: Kysely<Tables>,
  table: keyof Catalogue,
  rows: readonly { id: number }[],
): Promise<void> {
  // An id that no row has, for a list must not be empty in SQL.
  await trx
    .deleteFrom(table)
    .where('id', 'not in', [0, ...rows.map(({ id }) => id)])
    .execute();
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
    plans: plans.map(({ position: _, priceCents, features, popular, ...row }) => ({
      ...row,
      price: cents(priceCents),
      popular: popular === 1,
      features: JSON.parse(features),
    })),
    testimonials: testimonials.map(({ position: _, image, ...row }) => ({
      ...row,
      ...(image === null ? {} : { image }),
    })),
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
