/**
 * SQLite's driver for many who write at the same moment: they share one COMMIT, and so one wait for the disk. Each has a
 * savepoint of its own, and nobody is told what was stored, or read beside it, before the COMMIT that holds it.
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

/** What Kysely takes for a connection: the only one there is, while it is its turn. */
class Turn implements DatabaseConnection {
  readonly #driver: GroupCommitDriver;
  /** Lets the next one have it; undefined once that is done. */
  end: (() => void) | undefined;
  /** With whom the transaction that is under way will be committed; 'alone' when it is a loose one. */
  transaction: Group | 'alone' | undefined;

  constructor(driver: GroupCommitDriver, end: () => void) {
    this.#driver = driver;
    this.end = end;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#driver.execute<Row>(this, query);
  }

  /** A stream would keep all the others waiting for whoever reads it. */
  streamQuery(): never {
    throw new Error('SQLite is read in pieces, not streamed');
  }
}

export class GroupCommitDriver implements Driver {
  readonly #sqlite: SqliteDriver;
  readonly #inTransaction: () => boolean;
  /** Ends when whoever came last has had its turn. */
  #last: Promise<void> = Promise.resolve();
  #group: Group | undefined;
  /** What is committed now does not wait for the disk (loose-transaction.server.ts). */
  #loose = false;

  /** `inTransaction`: whether SQLite is in one, which it may leave by itself. */
  constructor(sqlite: SqliteDriver, inTransaction: () => boolean) {
    this.#sqlite = sqlite;
    this.#inTransaction = inTransaction;
  }

  init(...options: Parameters<Driver['init']>): Promise<void> {
    return this.#sqlite.init(...options);
  }

  destroy(): Promise<void> {
    return this.#sqlite.destroy();
  }

  async acquireConnection(): Promise<Turn> {
    return new Turn(this, await this.#nextTurn());
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
      await this.#run(ROLLBACK_ONE);
      await this.#run(RELEASE);
    }
  }

  async execute<Row>(turn: Turn, query: CompiledQuery): Promise<QueryResult<Row>> {
    turn.end ??= await this.#nextTurn();
    if (turn.transaction) return this.#run<Row>(query);
    if (APART.test(query.sql)) {
      await this.#commit();
      const result = await this.#run<Row>(query);
      if (/synchronous/i.test(query.sql)) this.#loose = LOOSE.test(query.sql);
      return result;
    }
    return READS.test(query.sql) ? this.#read<Row>(turn, query) : this.#write<Row>(turn, query);
  }

  /** What others have written and not committed is not told either. */
  async #read<Row>(turn: Turn, query: CompiledQuery): Promise<QueryResult<Row>> {
    for (;;) {
      turn.end ??= await this.#nextTurn();
      const result = await this.#run<Row>(query);
      const group = this.#group;
      if (!group) return result;
      pass(turn);
      const committed = await group.promise.then(
        () => true,
        () => false,
      );
      if (committed) return result;
    }
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
    // Nobody may be left to hear of it.
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
    this.#group = undefined;
    try {
      await this.#run(COMMIT);
      group.resolve();
    } catch (error) {
      group.reject(error);
      await this.#run(ROLLBACK);
    }
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
