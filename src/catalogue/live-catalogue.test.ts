import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeItem } from '../../tests/support/change-item.ts';
import { logged } from '../../tests/support/logged.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { liveCatalogue } from './live-catalogue.server.ts';

const content = ownContent();

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

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

test('the catalogue stays as it was last read when the database fails, which is logged once', async () => {
  let fails = false;
  let reads = 0;
  const db = answeredBy(async () => {
    if (fails) reads += 1;
    if (fails) throw new Error('the database is away');
  });
  const catalogue = liveCatalogue(db, content);
  await catalogue.store();
  await changeItem(app.database.db, 'services', 1, { name: 'Not to be read' });
  fails = true;
  const lines = await logged(async () => {
    await vi.waitUntil(() => catalogue.current() && reads > 1, { timeout: 5_000 });
  });
  expect(catalogue.current().services).toEqual(content.services);
  expect(lines).toMatchObject([
    { event: 'catalogue-from-memory', message: 'Error: the database is away' },
  ]);
});

test('a customer is charged for a plan what it costs now', async () => {
  const catalogue = liveCatalogue(app.database.db, content);
  await catalogue.store();
  await changeItem(app.database.db, 'plans', 1, { price: 123.45 });
  expect(await catalogue.findPlan(1)).toEqual({ ...content.plans[0], price: 12_345 });
  expect(await catalogue.findPlan(999)).toBeUndefined();
});
