import { expect, test } from 'vitest';
import { changeItem } from '../../tests/support/change-item.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { todayOf } from '../company/days.ts';
import { DatabaseUnavailable } from '../platform/database/database-unavailable.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { liveCatalogue } from './live-catalogue.server.ts';

const content = ownContent();

const app = sharedTestApp();

test('the catalogue stays as last read while the database is down', async () => {
  let fails = false;
  const db: Db = app.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (fails) throw new DatabaseUnavailable('the disk is gone');
      return result;
    },
  });
  const catalogue = liveCatalogue(db, content, todayOf(content.company));
  await catalogue.store();
  await changeItem(app.database.db, 'services', 1, { name: 'Not to be read' });
  fails = true;
  const reading = catalogue.reading();
  await reading.start();
  expect(catalogue.current().services).toEqual(content.services);
  fails = false;
  await reading.start();
  expect(catalogue.current().services[0]?.name).toBe('Not to be read');
  await reading.stop();
});

test('a customer is charged the price in the database, once it is there, and not the one in memory', async () => {
  const catalogue = liveCatalogue(app.database.db, content, todayOf(content.company));
  await app.database.db.deleteFrom('catalogue').execute();
  expect(await catalogue.findPlan(1)).toEqual(content.plans[0]);
  await catalogue.store();
  await changeItem(app.database.db, 'plans', 1, { price: 123.45 });
  expect(await catalogue.findPlan(1)).toEqual({ ...content.plans[0], price: 12_345 });
  expect(await catalogue.findPlan(999)).toBeUndefined();
});
