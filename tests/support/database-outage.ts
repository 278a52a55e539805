/** A database that a test can take away, even before a server starts, and bring back. */
import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Postgres } from './postgres.ts';
import { type TestDatabase, testDatabase } from './test-app.ts';

export interface OutageDatabase extends TestDatabase {
  /** SQLite: only while no server has the file open. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Starts unavailable. */
export async function databaseWithOutages(): Promise<OutageDatabase> {
  return inject('engine') === 'sqlite' ? leavingFile() : leavingCluster();
}

/** A folder in the file's place makes SQLite fail as it does without write permission. */
async function leavingFile(): Promise<OutageDatabase> {
  const testDb = await testDatabase();
  const file = join(testDb.variables.DATA_DIR ?? '', 'site.sqlite');
  const kept = `${file}.kept`;
  const leave = async () => {
    if (existsSync(file)) renameSync(file, kept);
    mkdirSync(file);
  };
  await leave();
  return {
    ...testDb,
    leave,
    async comeBack() {
      rmdirSync(file);
      if (existsSync(kept)) renameSync(kept, file);
    },
  };
}

async function leavingCluster(): Promise<OutageDatabase> {
  const postgres = await Postgres.create();
  return {
    variables: { DATABASE_URL: postgres.url },
    leave: () => postgres.stop('fast'),
    comeBack: () => postgres.start(),
    drop: () => postgres.remove(),
  };
}
