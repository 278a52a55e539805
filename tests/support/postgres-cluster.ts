/** Starts the PostgreSQL that all tests of a run share, each with a database of its own. */
import type { TestProject } from 'vitest/node';
import { findPostgres } from './find-postgres.ts';
import { Postgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    engine: 'sqlite' | 'postgres';
    /** Small in `npm test`, large in `npm run test:endurance`. */
    size: 'small' | 'large';
    /** Address of the cluster's maintenance database; null where PostgreSQL is missing. */
    postgresUrl: string | null;
  }
}

export default async function setup(project: TestProject) {
  const programs = findPostgres();
  if (!programs) {
    console.warn('PostgreSQL is not installed: the tests on PostgreSQL are skipped');
    project.provide('postgresUrl', null);
    return undefined;
  }
  const postgres = await Postgres.create(programs);
  await postgres.start();
  project.provide('postgresUrl', postgres.url);
  return () => postgres.remove();
}
