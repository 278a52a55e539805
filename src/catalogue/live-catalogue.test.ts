/** Pages show the catalogue as it stands, and as it last stood while the database does not answer. */
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { changeItem } from '../../tests/support/change-item.ts';
import { logged } from '../../tests/support/logged.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { type LiveCatalogue, liveCatalogue } from './live-catalogue.server.ts';

const content = ownContent();

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const rename = (name: string) => changeItem(app.database.db, 'services', 1, { name });
const changePrice = (price: number) => changeItem(app.database.db, 'plans', 1, { price });
/** What a visitor sees once the catalogue is stale. */
const readAgain = (catalogue: LiveCatalogue, name: string) =>
  vi.waitFor(() => expect(catalogue.current().services[0]?.name).toBe(name), { timeout: 5_000 });

/** The database, whose answers pass through `answering`. */
function answeredBy(answering: () => Promise<void>): Kysely<Tables> {
  return app.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await answering();
      return result;
    },
  });
}

describe('the catalogue', () => {
  test('is that of the content until the database has taken it over', async () => {
    await rename('Of an earlier version');
    const catalogue = liveCatalogue(app.database.db, content);
    await changePrice(123.45);
    expect(catalogue.current().services[0]?.name).toBe(content.services[0]?.name);
    expect(await catalogue.findPlan(1)).toEqual(content.plans[0]);
    await catalogue.store();
    expect(catalogue.current().services).toEqual(content.services);
    expect(await catalogue.findPlan(1)).toEqual(content.plans[0]);
  });

  test('follows the database within a second or two, and its version with it', async () => {
    const catalogue = liveCatalogue(app.database.db, content);
    await catalogue.store();
    const before = catalogue.version();
    await rename('Renamed');
    expect(catalogue.current().services[0]?.name).toBe(content.services[0]?.name);
    await readAgain(catalogue, 'Renamed');
    expect(catalogue.version()).not.toBe(before);
  });

  test('stays as it was last read when the database fails, which is logged once', async () => {
    let fails = false;
    let reads = 0;
    const db = answeredBy(async () => {
      if (fails) reads += 1;
      if (fails) throw new Error('the database is away');
    });
    const catalogue = liveCatalogue(db, content);
    await catalogue.store();
    await rename('Not to be read');
    fails = true;
    const lines = await logged(async () => {
      await vi.waitUntil(() => catalogue.current() && reads > 1, { timeout: 5_000 });
    });
    expect(catalogue.current().services).toEqual(content.services);
    expect(lines).toMatchObject([
      { event: 'catalogue-from-memory', message: 'Error: the database is away' },
    ]);
  });

  test('charges for a plan what it costs now', async () => {
    const catalogue = liveCatalogue(app.database.db, content);
    await catalogue.store();
    await changePrice(123.45);
    expect(await catalogue.findPlan(1)).toEqual({ ...content.plans[0], price: 12_345 });
    expect(await catalogue.findPlan(999)).toBeUndefined();
  });
});
