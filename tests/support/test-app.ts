/** The real site on a real port with its own database, started as the server starts it. */
import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, onTestFinished } from 'vitest';
import { readContent } from '../../src/content.server.ts';
import { readEnv } from '../../src/env.server.ts';
import { startSite } from '../../src/start-site.server.ts';
import { createDatabase, maintain } from './databases.ts';
import { eventually } from './eventually.ts';
import { ownAssets, ownContent } from './own-content.ts';
import { REACHABLE_DEMO } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { signedIn, Visitor } from './visitor.ts';

export interface TestApp extends Awaited<ReturnType<typeof startSite>> {
  /** A new caller with its own IP address and cookies. */
  visitor(): Visitor;
  /** A new caller who has signed in as staff. */
  staff(): Promise<Visitor>;
  /** Stops the site and starts it again on the same database. */
  restart(): Promise<TestApp>;
}

const OWN_CONTENT = 'content';

type Variables = Record<string, string>;

/** With its own password the site is not the demo, whose limits are ten times as large. */
export const OWN_PASSWORD = { ADMIN_PASSWORD: 'Tidewell keeps this one' };

/** `variables` are additional environment variables, `content` is a content folder. */
export async function startTestApp(
  variables: Variables = {},
  content = OWN_CONTENT,
): Promise<TestApp> {
  return startOn(await testDatabase({ filled: true }), variables, content);
}

/** Starts a site before the tests of the file or block and stops it after them. */
export function shared<Site extends { stop(): Promise<unknown> }>(start: () => Promise<Site>) {
  // Empty until beforeAll has run: only tests and hooks may use it.
  const site = {} as Site;
  beforeAll(async () => {
    Object.assign(site, await start());
  });
  afterAll(() => site.stop());
  return site;
}

export const sharedTestApp = (...settings: Parameters<typeof startTestApp>) =>
  shared(() => startTestApp(...settings));

/** Staff who sign in before the tests of the file or block. */
export function sharedStaff(app: () => TestApp): Visitor {
  const staff = new Visitor('');
  beforeAll(async () => {
    Object.assign(staff, await app().staff());
  });
  return staff;
}

/** Starts a site for one test, which stops with it. */
export async function ownTestApp(...settings: Parameters<typeof startTestApp>): Promise<TestApp> {
  const app = await startTestApp(...settings);
  onTestFinished(() => app.stop());
  return app;
}

async function startOn(
  testDb: TestDatabase,
  variables: Variables,
  content: string,
): Promise<TestApp> {
  const env = readEnv({ ...REACHABLE_DEMO, ...testDb.variables, ...variables });
  const starting = async () =>
    startSite(env, {
      content:
        content === OWN_CONTENT
          ? ownContent(env.keepMessagesDays)
          : readContent(content, env.keepMessagesDays),
      assets: ownAssets(),
    });
  const running = await starting().catch(async (error) => {
    await testDb.drop();
    throw error;
  });
  // The database may come late. A caller with one of its own may want it unavailable.
  if (!('DATABASE_URL' in variables) && !('DATA_DIR' in variables))
    await eventually(() => expect(running.site.isStarted()).toBe(true));
  return {
    ...running,
    visitor: () => new Visitor(running.address),
    staff: () => signedIn(running.address, env.admin),
    async restart() {
      await running.stop();
      return startOn(testDb, variables, content);
    },
    async stop() {
      await running.stop();
      await testDb.drop();
    },
  };
}

export interface TestDatabase {
  /** Environment variables that point a server to it. */
  variables: Variables;
  drop(): Promise<unknown>;
}

/** An empty database for each test of the file or block. */
export function databaseForEachTest(): TestDatabase {
  const testDb = {} as TestDatabase;
  beforeEach(async () => {
    Object.assign(testDb, await testDatabase());
  });
  afterEach(() => testDb.drop());
  return testDb;
}

/** A database on this project's engine: empty, or `filled` like after a first start. */
export async function testDatabase({ filled = false } = {}): Promise<TestDatabase> {
  const { postgresUrl, templates } = inject('databases');
  if (inject('engine') === 'sqlite') {
    const folder = temporaryFolder();
    if (filled) cpSync(templates.folder, folder, { recursive: true });
    return {
      variables: { DATA_DIR: folder },
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  if (!postgresUrl) throw new Error('PostgreSQL is missing on this machine');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(postgresUrl, name, filled ? templates.database : undefined);
  return {
    variables: { DATABASE_URL: url },
    drop: () => maintain(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
