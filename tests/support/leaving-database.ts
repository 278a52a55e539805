/** A database of the test's own that goes away, also before a server starts, and comes back. */
import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { findPostgres } from './find-postgres.ts';
import { Postgres } from './postgres.ts';
import { type TestDatabase, testDatabase } from './test-app.ts';

export interface LeavingDatabase extends TestDatabase {
  /** The embedded one only while no server has it open. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

/** It is away. */
export async function leavingDatabase(): Promise<LeavingDatabase> {
  return inject('engine') === 'sqlite' ? leavingFile() : leavingCluster();
}

/** With a folder where the file should be SQLite says what it says of a folder that it may not write to. */
async function leavingFile(): Promise<LeavingDatabase> {
  const ground = await testDatabase();
  const file = join(ground.variables.DATA_DIR ?? '', 'site.sqlite');
  const kept = `${file}.kept`;
  const leave = async () => {
    if (existsSync(file)) renameSync(file, kept);
    mkdirSync(file);
  };
  await leave();
  return {
    ...ground,
    leave,
    async comeBack() {
      rmdirSync(file);
      if (existsSync(kept)) renameSync(kept, file);
    },
  };
}

async function leavingCluster(): Promise<LeavingDatabase> {
  const postgres = await Postgres.create(findPostgres() ?? '');
  return {
    variables: { DATABASE_URL: postgres.url },
    leave: () => postgres.stop('fast'),
    comeBack: () => postgres.start(),
    drop: () => postgres.remove(),
  };
}
