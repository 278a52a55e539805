import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../tests/support/test-app.ts';
import { readEnv } from '../config/env.server.ts';
import { type Database, openDatabase } from './database.server.ts';
import { looseTransaction } from './loose-transaction.server.ts';

/** What happens at each statement whose text begins with these words. */
type At = Record<string, (database: DatabaseSync) => void>;

let at: At = {};
const prepare = DatabaseSync.prototype.prepare;

/** Each statement that is run asks `at` first. */
function listening(this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql);
  for (const name of ['run', 'all'] as const) {
    const execute = statement[name].bind(statement) as (...values: never[]) => never;
    Object.defineProperty(statement, name, {
      value: (...values: never[]) => {
        const [, act] = Object.entries(at).find(([words]) => sql.startsWith(words)) ?? [];
        act?.(this);
        return execute(...values);
      },
    });
  }
  return statement;
}

describe.runIf(inject('engine') === 'sqlite')('those who write at the same moment', () => {
  let ground: TestDatabase;
  let database: Database;
  let key = 0;
  beforeAll(async () => {
    ground = await testDatabase();
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(listening);
    database = await openDatabase(readEnv(ground.variables));
  });
  afterEach(() => {
    at = {};
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await database.close();
    await ground.drop();
  });

  /** Stores a name in a transaction; gives it. */
  async function store(name: string, then: () => Promise<void> = async () => undefined) {
    await database.db.transaction().execute(async (trx) => {
      key += 1;
      await trx
        .insertInto('signingKeys')
        .values({ name, key: `${key}` })
        .execute();
      await then();
    });
    return name;
  }

  async function stored(like: string): Promise<string[]> {
    const rows = await database.db
      .selectFrom('signingKeys')
      .select('name')
      .where('name', 'like', `${like}%`)
      .orderBy('name')
      .execute();
    return rows.map(({ name }) => name);
  }

  const many = (word: string) => Array.from({ length: 32 }, (_, index) => `${word} ${index}`);
  const outcomes = async (all: Promise<unknown>[]) =>
    (await Promise.allSettled(all)).map(({ status }) => status);

  test('share one COMMIT, before which nobody is told', async () => {
    let commits = 0;
    let told = 0;
    at = {
      commit: () => {
        commits += 1;
        expect(told).toBe(0);
      },
    };
    const writers = many('shared').map(async (name, index) => {
      if (index % 2 === 0) await store(name);
      else await database.db.insertInto('signingKeys').values({ name, key: name }).execute();
      told += 1;
    });
    await Promise.all(writers);
    expect(commits).toBe(1);
    expect(await stored('shared')).toHaveLength(32);
  });

  test('lose nothing by one of them that fails', async () => {
    const fault = new Error('not this one');
    const fail = async () => {
      throw fault;
    };
    const failing = store('apart, failed', fail);
    const twice = [store('apart, twice'), store('apart, twice')];
    const others = [store('apart, before'), failing, ...twice, store('apart, behind')];
    expect(await outcomes(others)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    await expect(failing).rejects.toBe(fault);
    expect(await stored('apart')).toEqual(['apart, before', 'apart, behind', 'apart, twice']);
  });

  test('lose nothing by a single statement that fails, nor by a loose transaction', async () => {
    const { db } = database;
    const insert = (name: string) =>
      db.insertInto('signingKeys').values({ name, key: name }).execute();
    const single = [insert('single'), insert('single'), insert('single, other')];
    expect(await outcomes(single)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const loose = looseTransaction(database, async (trx) => {
      await trx.insertInto('signingKeys').values({ name: 'single, loose', key: '' }).execute();
      throw new Error('not this one');
    });
    expect(await outcomes([loose, store('single, last')])).toEqual(['rejected', 'fulfilled']);
    expect(await stored('single')).toEqual(['single', 'single, last', 'single, other']);
    const { numDeletedRows } = await db
      .deleteFrom('signingKeys')
      .where('name', 'like', 'single%')
      .executeTakeFirstOrThrow();
    expect(numDeletedRows).toBe(3n);
  });

  test('are all told when the COMMIT fails, and nothing of theirs is stored', async () => {
    const full = new Error('the disk is full');
    let commits = 0;
    at = {
      commit: () => {
        commits += 1;
        if (commits === 1) throw full;
      },
    };
    const writers = many('unlucky').map((name) => store(name));
    for (const writer of writers) await expect(writer).rejects.toBe(full);
    expect(await stored('unlucky')).toEqual([]);
    await store('lucky');
    expect(await stored('lucky')).toEqual(['lucky']);
  });

  test('are all told when SQLite has rolled back by itself', async () => {
    const full = new Error('the disk is full');
    let inserts = 0;
    at = {
      insert: (sqlite) => {
        inserts += 1;
        if (inserts !== 3) return;
        sqlite.exec('rollback');
        throw full;
      },
    };
    const [first, second, third, ...later] = many('rolled back').map((name) => store(name));
    for (const writer of [first, second, third]) await expect(writer).rejects.toBe(full);
    await Promise.all(later);
    expect(await stored('rolled back')).toHaveLength(29);
  });

  test('store nothing any more once SQLite has rolled back, though they go on', async () => {
    const full = new Error('the disk is full');
    at = {
      insert: (sqlite) => {
        at = {};
        sqlite.exec('rollback');
        throw full;
      },
    };
    const goingOn = database.db.transaction().execute(async (trx) => {
      const insert = (name: string) =>
        trx.insertInto('signingKeys').values({ name, key: name }).execute();
      await insert('gone, first').catch(() => undefined);
      await insert('gone, second');
    });
    await expect(goingOn).rejects.toBe(full);
    expect(await stored('gone')).toEqual([]);
  });

  test('are all told when one of them cannot be taken back', async () => {
    const broken = new Error('the disk is broken');
    at = {
      'rollback to': () => {
        throw broken;
      },
    };
    const fail = async () => {
      throw new Error('not this one');
    };
    const writers = [store('half, before'), store('half, failed', fail)];
    for (const writer of writers) await expect(writer).rejects.toBe(broken);
    expect(await stored('half')).toEqual([]);
    await store('whole');
    expect(await stored('whole')).toEqual(['whole']);
  });

  test('are seen by nobody before they are on the disk, and keep no reader waiting', async () => {
    const read = Promise.withResolvers<void>();
    const writer = store('secret', () => read.promise);
    expect(await stored('secret')).toEqual([]);
    read.resolve();
    await writer;
    expect(await stored('secret')).toEqual(['secret']);
  });

  test('wait for the disk, but not in a transaction that need not', async () => {
    const waits: unknown[] = [];
    at = {
      commit: (sqlite) => waits.push(prepare.call(sqlite, 'pragma synchronous').get()?.synchronous),
    };
    const all: Promise<unknown>[] = [];
    const loose = async () => {
      all.push(
        looseTransaction(database, async (trx) => {
          await trx.insertInto('signingKeys').values({ name: 'loose', key: 'loose' }).execute();
        }),
      );
      all.push(store('strict, behind'));
    };
    await store('strict, before', loose);
    await Promise.all(all);
    const [FULL, NORMAL] = [2, 1];
    expect(waits).toEqual([FULL, NORMAL, FULL]);
    expect(await stored('strict')).toHaveLength(2);
    expect(await stored('loose')).toHaveLength(1);
  });
});
