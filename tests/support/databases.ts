/**
 * Starts one PostgreSQL for the whole run, in which each test gets its own database. Prepares a
 * template database per engine, which tests copy in a fraction of the time that a first start
 * takes.
 */
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readContent } from '../../src/content.server.ts';
import { readEnv } from '../../src/env.server.ts';
import { readBuiltAssets } from '../../src/platform/http/assets.server.ts';
import { startSite } from '../../src/start-site.server.ts';
import { findPostgres } from './find-postgres.ts';
import { Postgres } from './postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    engine: 'sqlite' | 'postgres';
    /** Small in `npm test`, large in `npm run test:full -- endurance`. */
    size: 'small' | 'large';
    /** Whether every journey runs on both screens (journey-plan.ts). */
    everything: boolean;
    databases: {
      /** URL of the cluster's maintenance database; null where PostgreSQL is not installed. */
      postgresUrl: string | null;
      /** The template for SQLite (a DATA_DIR) and for PostgreSQL (a database name). */
      templates: { folder: string; database: string };
    };
  }
}

const TEMPLATE = 'site_template';

export default async function setup(project: TestProject) {
  const folder = temporaryFolder();
  await fill({ DATA_DIR: folder });
  const postgres = await startPostgres();
  if (postgres) await fill({ DATABASE_URL: await createDatabase(postgres.url, TEMPLATE) });
  project.provide('databases', {
    postgresUrl: postgres?.url ?? null,
    templates: { folder, database: TEMPLATE },
  });
  return () => postgres?.remove();
}

async function startPostgres(): Promise<Postgres | undefined> {
  if (!findPostgres()) {
    console.warn('PostgreSQL is not installed: the tests on PostgreSQL are skipped');
    return undefined;
  }
  const postgres = await Postgres.create();
  await postgres.start();
  return postgres;
}

async function fill(variables: Record<string, string>): Promise<void> {
  const env = readEnv({ PORT: '0', ...variables });
  const assets = readBuiltAssets('dist/client');
  const site = await startSite(env, { content: readContent('content'), assets });
  await site.stop();
}

/** Creates a copy of `template` and returns its URL. */
export async function createDatabase(
  postgresUrl: string,
  name: string,
  template = 'template1',
): Promise<string> {
  // FILE_COPY takes half the time of PostgreSQL's default, which writes every page to the WAL.
  await maintain(postgresUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs a statement in the database and returns its rows. */
export async function maintain(postgresUrl: string, statement: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}
