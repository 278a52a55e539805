/** A server without its database serves every page, and recovers by itself. */

import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { readCatalogue } from '../../../src/catalogue/live-catalogue.server.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { ownContentFolder } from '../../support/content-folder.ts';
import { databaseWithOutages, type OutageDatabase } from '../../support/database-outage.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeTeams } from '../../support/fake-teams.ts';
import { sharedTestApp, startTestApp, type TestApp } from '../../support/test-app.ts';

const PAGES = [
  '/',
  '/checkout?plan=2',
  '/news',
  '/security-policy',
  '/sitemap.xml',
  '/admin-login',
];

const ready = async (app: TestApp) => (await app.visitor().get('/readyz')).status;
const buy = (app: TestApp) => app.visitor().post('/api/create-payment-intent', SAMPLE_ORDER);

describe('a server that starts while its database is unavailable', () => {
  let ground: OutageDatabase;
  let teams: FakeTeams;
  const content = ownContentFolder();
  const apps: TestApp[] = [];
  beforeEach(async () => {
    [ground, teams] = await Promise.all([databaseWithOutages(), FakeTeams.start()]);
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.stop()));
    await Promise.all([ground.drop(), teams.stop()]);
  });

  async function start(): Promise<TestApp> {
    const app = await startTestApp({ ...ground.variables, ...teams.variables }, content.folder());
    apps.push(app);
    return app;
  }

  async function refused(app: TestApp): Promise<void> {
    const stranger = app.visitor();
    stranger.cookies.set('session', 's'.repeat(43));
    const requests = [
      stranger.post('/api/create-payment-intent', SAMPLE_ORDER),
      stranger.post('/api/contact', SAMPLE_MESSAGE),
      stranger.post('/api/admin/login', { username: 'admin', password: 'showroom-demo' }),
      stranger.post('/api/order-page', { token: `1.${'A'.repeat(43)}` }),
      stranger.get('/api/admin/session'),
    ];
    for (const { status, headers } of await Promise.all(requests))
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  }

  test('serves pages and prices from content/, and becomes ready by itself, even several at once', async () => {
    const servers = [await start()];
    if (inject('engine') === 'postgres') servers.push(await start(), await start());
    for (const app of servers) {
      for (const path of PAGES)
        expect([path, (await app.visitor().get(path)).status]).toEqual([path, 200]);
      expect((await app.visitor().get('/api/plans')).json[0]).toMatchObject({ id: 1, price: 450 });
      expect(await ready(app)).toBe(503);
      await refused(app);
    }
    await ground.comeBack();
    for (const app of servers) await eventually(async () => expect(await ready(app)).toBe(200));
    for (const [number, app] of servers.entries()) {
      expect((await buy(app)).status).toBe(200);
      await app.visitor().post('/api/contact', { ...SAMPLE_MESSAGE, name: `Number ${number}` });
      const staff = await app.staff();
      // Requests from before are in the log.
      const { logs } = (await staff.get('/api/admin/logs')).json;
      await eventually(() => expect(logs).toContain('"GET /checkout?plan=2 HTTP/1.1" 200'));
    }
    await eventually(() => expect(teams.accepted).toHaveLength(servers.length));
  });

  test('shows prices that changed in content/, and stores them once it can', async () => {
    await ground.comeBack();
    await (await start()).stop();
    apps.length = 0;
    await ground.leave();
    content.changeRow('catalogue/plans.json', 0, { price: 475 });
    const app = await start();
    const price = async () => (await app.visitor().get('/api/plans')).json[0].price;
    expect(await price()).toBe(475);
    await ground.comeBack();
    await eventually(async () => expect(await ready(app)).toBe(200));
    expect(await price()).toBe(475);
    expect((await readCatalogue(app.database.db)).plans[0]?.price).toBe(47_500);
  });
});

describe('a running server', () => {
  const app = sharedTestApp();

  test('answers /readyz with 503 while no order can be stored, and 200 once one can', async () => {
    expect(await ready(app)).toBe(200);
    const allow = await forbidGrowth(app);
    await eventually(async () => expect(await ready(app)).toBe(503));
    await eventually(async () => {
      const { status, headers } = await buy(app);
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    });
    for (const path of PAGES)
      expect([path, (await app.visitor().get(path)).status]).toEqual([path, 200]);
    await allow();
    await eventually(async () => expect(await ready(app)).toBe(200));
    expect((await buy(app)).status).toBe(200);
  });

  test.runIf(inject('engine') === 'postgres')(
    'refuses orders for now while the administrator lets nobody into the database',
    async () => {
      const name = await databaseName(app);
      await alter(name, 'ALLOW_CONNECTIONS false');
      expect((await buy(app)).status).toBe(503);
      await alter(name, 'ALLOW_CONNECTIONS true');
      await eventually(async () => expect((await buy(app)).status).toBe(200));
    },
  );
});

/** Makes SQLite's disk full, or PostgreSQL read-only. Returns a function that undoes it. */
async function forbidGrowth(app: TestApp): Promise<() => Promise<void>> {
  const { db, engine } = app.database;
  if (engine === 'sqlite') {
    await sql`PRAGMA max_page_count = 1`.execute(db);
    return async () => {
      await sql`PRAGMA max_page_count = 1000000`.execute(db);
    };
  }
  const name = await databaseName(app);
  await alter(name, 'SET default_transaction_read_only = on');
  return () => alter(name, 'SET default_transaction_read_only = off');
}

async function databaseName({ database: { db } }: TestApp): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  return rows[0]?.name ?? '';
}

/** As an administrator of PostgreSQL. Ends all connections to the database. */
async function alter(name: string, change: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databases').postgresUrl ?? '' });
  await client.connect();
  await client.query(`ALTER DATABASE ${name} ${change}`);
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    name,
  ]);
  await client.end();
}
