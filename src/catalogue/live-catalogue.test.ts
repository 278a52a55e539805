/** Pages show the catalogue as it stands, and as it last stood while the database does not answer. */
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
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
afterEach(() => {
  vi.useRealTimers();
  return app.stop();
});

const rename = (name: string) =>
  app.database.db.updateTable('services').set({ name }).where('id', '=', 1).execute();

const changePrice = (priceCents: number) =>
  app.database.db.updateTable('plans').set({ priceCents }).where('id', '=', 1).execute();

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
    await changePrice(12_345);
    await catalogue.refresh();
    expect(catalogue.current().services[0]?.name).toBe(content.services[0]?.name);
    expect(await catalogue.findPlan(1)).toEqual(content.plans[0]);
    await catalogue.store();
    await catalogue.refresh();
    expect(catalogue.current().services).toEqual(content.services);
    expect(await catalogue.findPlan(1)).toEqual(content.plans[0]);
  });

  test('follows the database, and its version with it', async () => {
    const catalogue = liveCatalogue(app.database.db, content);
    await catalogue.store();
    const before = catalogue.version();
    expect(before).toMatch(/^[\w-]{43}$/);
    await catalogue.refresh();
    expect(catalogue.version()).toBe(before);
    await rename('Renamed');
    expect(catalogue.current().services[0]?.name).toBe(content.services[0]?.name);
    await catalogue.refresh();
    expect(catalogue.current().services[0]?.name).toBe('Renamed');
    expect(catalogue.version()).not.toBe(before);
  });

  test('stays as it was last read when the database fails', async () => {
    let fails = false;
    const db = answeredBy(async () => {
      if (fails) throw new Error('the database is away');
    });
    const catalogue = liveCatalogue(db, content);
    await catalogue.store();
    await rename('Not to be read');
    fails = true;
    const lines = await logged(() => catalogue.refresh());
    expect(catalogue.current().services).toEqual(content.services);
    expect(lines).toMatchObject([
      { event: 'catalogue-from-memory', message: 'Error: the database is away' },
    ]);
  });

  test('is asked for a plan as it stands now, at the price of now', async () => {
    const catalogue = liveCatalogue(app.database.db, content);
    await catalogue.store();
    await changePrice(12_345);
    expect(await catalogue.findPlan(1)).toEqual({ ...content.plans[0], price: 12_345 });
    expect(catalogue.current().plans).toEqual(content.plans);
    expect(await catalogue.findPlan(999)).toBeUndefined();
  });

  test('forgets what comes after something newer', async () => {
    const late = Promise.withResolvers<void>();
    let slow = false;
    let waiting = 0;
    const db = answeredBy(async () => {
      if (!slow) return;
      waiting += 1;
      await late.promise;
      waiting -= 1;
    });
    const catalogue = liveCatalogue(db, content);
    await catalogue.store();
    slow = true;
    const first = catalogue.refresh();
    await eventually(() => expect(waiting).toBeGreaterThan(0));
    slow = false;
    await rename('Newer');
    await catalogue.refresh();
    expect(catalogue.current().services[0]?.name).toBe('Newer');
    late.resolve();
    await first;
    expect(catalogue.current().services[0]?.name).toBe('Newer');
  });

  test('is read again when it is asked for a second later, once at a time', async () => {
    const late = Promise.withResolvers<void>();
    let slow = false;
    let reads = 0;
    const db = answeredBy(async () => {
      reads += 1;
      if (slow) await late.promise;
    });
    const catalogue = liveCatalogue(db, content);
    vi.useFakeTimers({ toFake: ['performance'] });
    await catalogue.store();
    await rename('Renamed');
    reads = 0;
    vi.advanceTimersByTime(900);
    expect(catalogue.current().services).toEqual(content.services);
    expect(reads).toBe(0);
    vi.advanceTimersByTime(100);
    slow = true;
    catalogue.version();
    await eventually(() => expect(reads).toBeGreaterThan(0));
    const ofOne = reads;
    vi.advanceTimersByTime(5_000);
    catalogue.version();
    await rename('Renamed again');
    expect(reads).toBe(ofOne);
    late.resolve();
    await eventually(() => expect(catalogue.current().services[0]?.name).toMatch(/^Renamed/));
  });
});
