/**
 * Counts visitors without keeping who they were. A visitor is a number made of address and agent with a key that is
 * new each day (UTC). The key and the number live for as long as the 24 hours that are shown reach into their day:
 * so one who came yesterday evening and comes again this morning is counted once, and after that nobody, we included,
 * can tell whether an address has been here.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import type { AccessRecord } from './access-record.server.ts';
import { MINUTE, startOf } from './tally.server.ts';

const DAY = 24 * 60 * 60_000;

/** Numbers spread evenly from 0 to below this one. */
export const VISITOR_NUMBERS = 2 ** 48;

export interface Visitor {
  ip: string;
  userAgent: string;
  number: number;
  /** What yesterday's key made of the same visitor. */
  formerNumber: number | undefined;
  /** The beginning of the minute, in milliseconds. */
  lastSeen: number;
}

/** More than come within a minute, but in an attack. */
const MOST_KNOWN = 5_000;

/** How many are remembered while the database is away. Visitors beyond that are not counted. */
const MOST_DUE = 30_000;
/** More than a batch of requests brings. After an outage the others wait for the next batches: each costs an HMAC and a row. */
const MOST_AT_ONCE = 3_000;

/** Remembers who came, except those already stored within the same minute. */
export class Visitors {
  readonly #keys: DailyKeys;
  /** Addresses by agent, forgotten with the first visitor of a later minute. */
  #known = { minute: 0, size: 0, byAgent: new Map<string, Set<string>>() };

  /** Who has to be stored: the minutes in which they came last, by agent and address. */
  #due = { size: 0, byAgent: new Map<string, Map<string, number>>() };

  constructor(db: Kysely<Tables>) {
    this.#keys = new DailyKeys(db);
  }

  /** On the way of every request. */
  add({ at, ip, userAgent }: AccessRecord): void {
    const lastSeen = startOf(at, MINUTE);
    const { minute, byAgent: known } = this.#known;
    if (lastSeen <= minute && known.get(userAgent)?.has(ip)) return;
    const found = this.#due.byAgent.get(userAgent)?.get(ip);
    if (found === undefined && this.#due.size >= MOST_DUE) return;
    if (found === undefined) this.#due.size += 1;
    const byAddress = this.#due.byAgent.get(userAgent) ?? new Map<string, number>();
    this.#due.byAgent.set(userAgent, byAddress.set(ip, Math.max(found ?? 0, lastSeen)));
  }

  /** The first of them, as they are to be stored; again until they are kept. */
  async due(): Promise<Visitor[]> {
    const keys = await this.#keys.inForce(Date.now());
    const due: Visitor[] = [];
    for (const [userAgent, byAddress] of this.#due.byAgent)
      for (const [ip, lastSeen] of byAddress) {
        if (due.length === MOST_AT_ONCE) return due;
        due.push({ ip, userAgent, ...numbersOf(keys, ip, userAgent), lastSeen });
      }
    return due;
  }

  /** To be told when they have been stored. */
  keep(visitors: readonly Visitor[]): void {
    const newest = visitors.reduce((last, { lastSeen }) => Math.max(last, lastSeen), 0);
    if (newest > this.#known.minute || this.#known.size > MOST_KNOWN)
      this.#known = { minute: newest, size: 0, byAgent: new Map() };
    const { minute, byAgent } = this.#known;
    for (const { ip, userAgent, lastSeen } of visitors) {
      this.#forget(ip, userAgent, lastSeen);
      if (lastSeen !== minute) continue;
      byAgent.set(userAgent, (byAgent.get(userAgent) ?? new Set()).add(ip));
      this.#known.size += 1;
    }
  }

  /** Unless they have come again since. */
  #forget(ip: string, userAgent: string, lastSeen: number): void {
    const byAddress = this.#due.byAgent.get(userAgent);
    if (byAddress?.get(ip) !== lastSeen) return;
    byAddress.delete(ip);
    if (byAddress.size === 0) this.#due.byAgent.delete(userAgent);
    this.#due.size -= 1;
  }
}

interface VisitorKeys {
  today: string;
  /** Undefined when nobody came yesterday. */
  yesterday: string | undefined;
}

function numbersOf({ today, yesterday }: VisitorKeys, ip: string, userAgent: string) {
  return {
    number: visitorNumber(today, ip, userAgent),
    formerNumber: yesterday === undefined ? undefined : visitorNumber(yesterday, ip, userAgent),
  };
}

function visitorNumber(key: string, ip: string, userAgent: string): number {
  return createHmac('sha256', key).update(`${ip}\n${userAgent}`).digest().readUIntBE(0, 6);
}

class DailyKeys {
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
