/**
 * SQLite's driver for many who write at the same moment: they share one COMMIT, and so one wait for the disk. Each has a
 * savepoint of its own, and nobody is told what was stored before the COMMIT that holds it. Who only reads does so by a
 * connection that sees nothing but what is committed, and waits for nobody.
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDriver,
} from 'kysely';

/** Not for a transaction: it says how durable the next one is, or copies and empties files. */
const APART = /^(pragma|vacuum)\b/i;
const LOOSE = /^pragma synchronous = normal$/i;
const READS = /^(select|explain)\b/i;

const BEGIN = CompiledQuery.raw('begin');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');
const SAVEPOINT = CompiledQuery.raw('savepoint one');
const RELEASE = CompiledQuery.raw('release one');
const ROLLBACK_ONE = CompiledQuery.raw('rollback to one');

/** Those whose work one COMMIT holds; settled by it. */
type Group = PromiseWithResolvers<void>;

/** What Kysely takes for a connection: the only one that writes, while it is its turn. */
class Turn implements DatabaseConnection {
  readonly #driver: GroupCommitDriver;
  /** Lets the next one have it; undefined before and afterwards. */
  end: (() => void) | undefined;
  /** With whom the transaction that is under way will be committed; 'alone' when it is a loose one. */
  transaction: Group | 'alone' | undefined;

  constructor(driver: GroupCommitDriver) {
    this.#driver = driver;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#driver.execute<Row>(this, query);
  }

  /** A stream would make everybody else wait until its reader has finished. */
  streamQuery(): never {
    throw new Error('SQLite is read in pieces, not streamed');
  }
}

export class GroupCommitDriver implements Driver {
  readonly #sqlite: SqliteDriver;
  readonly #reader: SqliteDriver;
  readonly #inTransaction: () => boolean;
  /** Resolves when the newest turn has ended. */
  #last: Promise<void> = Promise.resolve();
  #group: Group | undefined;
  /** What is committed now does not wait for the disk (loose-transaction.server.ts). */
  #loose = false;

  /** `inTransaction`: whether SQLite is in one, which it may leave by itself. */
  constructor(sqlite: SqliteDriver, reader: SqliteDriver, inTransaction: () => boolean) {
    this.#sqlite = sqlite;
    this.#reader = reader;
    this.#inTransaction = inTransaction;
  }

  async init(...options: Parameters<Driver['init']>): Promise<void> {
    await this.#sqlite.init(...options);
    await this.#reader.init(...options);
  }

  async destroy(): Promise<void> {
    await this.#reader.destroy();
    await this.#sqlite.destroy();
  }

  async acquireConnection(): Promise<Turn> {
    return new Turn(this);
  }

  async releaseConnection(turn: Turn): Promise<void> {
    pass(turn);
  }

  async beginTransaction(turn: Turn): Promise<void> {
    turn.end ??= await this.#nextTurn();
    if (this.#loose) {
      await this.#run(BEGIN);
      turn.transaction = 'alone';
      return;
    }
    turn.transaction = this.#group ?? (await this.#begin());
    await this.#run(SAVEPOINT);
  }

  async commitTransaction(turn: Turn): Promise<void> {
    const { transaction } = turn;
    if (transaction === 'alone') await this.#run(COMMIT);
    // Unless SQLite has rolled all of it back since.
    else if (transaction === this.#group) await this.#run(RELEASE);
    turn.transaction = undefined;
    if (transaction === 'alone') return;
    pass(turn);
    await transaction?.promise;
  }

  async rollbackTransaction(turn: Turn): Promise<void> {
    const { transaction } = turn;
    turn.transaction = undefined;
    if (transaction === 'alone') await this.#run(ROLLBACK);
    else if (transaction && transaction === this.#group) {
      try {
        await this.#run(ROLLBACK_ONE);
        await this.#run(RELEASE);
      } catch (error) {
        // Half of it would be committed with what the others have done.
        await this.#giveUp(error);
        throw error;
      }
    }
  }

  async execute<Row>(turn: Turn, query: CompiledQuery): Promise<QueryResult<Row>> {
    const { transaction } = turn;
    // One that SQLite has rolled back meanwhile rejects: what it goes on to write would be stored alone.
    if (transaction && transaction !== 'alone' && transaction !== this.#group)
      await transaction.promise;
    if (transaction) return this.#run<Row>(query);
    if (READS.test(query.sql)) return (await this.#reader.acquireConnection()).executeQuery(query);
    if (!APART.test(query.sql)) return this.#write<Row>(turn, query);
    turn.end ??= await this.#nextTurn();
    await this.#commit();
    const result = await this.#run<Row>(query);
    if (/synchronous/i.test(query.sql)) this.#loose = LOOSE.test(query.sql);
    return result;
  }

  async #write<Row>(turn: Turn, query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.beginTransaction(turn);
    try {
      const result = await this.#run<Row>(query);
      await this.commitTransaction(turn);
      return result;
    } catch (error) {
      await this.rollbackTransaction(turn);
      throw error;
    }
  }

  /** All that have come by the time the loop has looked at every connection once are in it. */
  async #begin(): Promise<Group> {
    await this.#run(BEGIN);
    const group = Promise.withResolvers<void>();
    // Rejected while no writer is waiting, it must not end the process.
    group.promise.catch(() => undefined);
    this.#group = group;
    setImmediate(async () => {
      const end = await this.#nextTurn();
      if (this.#group === group) await this.#commit();
      end();
    });
    return group;
  }

  async #commit(): Promise<void> {
    const group = this.#group;
    if (!group) return;
    try {
      await this.#run(COMMIT);
      this.#group = undefined;
      group.resolve();
    } catch (error) {
      await this.#giveUp(error);
    }
  }

  async #giveUp(error: unknown): Promise<void> {
    this.#group?.reject(error);
    this.#group = undefined;
    // If this fails too, the next BEGIN fails, and its caller gets the error.
    await this.#run(ROLLBACK).catch(() => undefined);
  }

  /** On a full disk SQLite rolls back by itself: then nothing is left of what anybody in the group has written. */
  async #run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = await this.#sqlite.acquireConnection();
    try {
      return await connection.executeQuery<Row>(query);
    } catch (error) {
      if (this.#group && !this.#inTransaction()) {
        this.#group.reject(error);
        this.#group = undefined;
      }
      throw error;
    }
  }

  /** Waits for all who came before; gives what ends the turn. */
  async #nextTurn(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }
}

function pass(turn: Turn): void {
  turn.end?.();
  turn.end = undefined;
}
