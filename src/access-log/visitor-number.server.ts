/**
 * Counts visitors without keeping who they were. A visitor is a number made of address and agent with a key that is
 * new each day (UTC). The key and the number live for as long as the 24 hours that are shown reach into their day:
 * so one who came yesterday evening and comes again this morning is counted once, and after that nobody, we included,
 * can tell whether an address has been here.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';

const DAY = 24 * 60 * 60_000;

/** Numbers spread evenly from 0 to below this one. */
export const VISITOR_NUMBERS = 2 ** 48;

export interface VisitorKeys {
  today: string;
  /** Undefined when nobody came yesterday. */
  yesterday: string | undefined;
}

export function visitorNumber(key: string, ip: string, userAgent: string): number {
  return createHmac('sha256', key).update(`${ip}\n${userAgent}`).digest().readUIntBE(0, 6);
}

export class DailyKeys {
  readonly #db: Kysely<Tables>;
  #known: { day: string; keys: VisitorKeys } | undefined;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The keys in force, shared by all servers on this database; makes today's and forgets those before yesterday. */
  async inForce(now: number): Promise<VisitorKeys> {
    const day = dayOf(now);
    if (this.#known?.day === day) return this.#known.keys;
    await this.#db
      .insertInto('accessKeys')
      .values({ day, secret: randomBytes(32).toString('hex') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await this.#db
      .deleteFrom('accessKeys')
      .where('day', '<', dayOf(now - DAY))
      .execute();
    const rows = await this.#db.selectFrom('accessKeys').selectAll().execute();
    const secretOf = (wanted: string) => rows.find((row) => row.day === wanted)?.secret;
    const keys = { today: secretOf(day) ?? '', yesterday: secretOf(dayOf(now - DAY)) };
    this.#known = { day, keys };
    return keys;
  }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
