/**
 * Lasting faults of what the site depends on. All instances see one table; staff are notified once
 * of each, by what still works, and are shown it until it is over.
 */
import type { Generated } from 'kysely';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { Interval, logFailure } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../platform/time.ts';
import { STAFF_PAGES } from '../routes.ts';
import { DEPENDENCIES, type Dependency, type Fault } from './faults-api.ts';
import type { NotificationKind, Notify } from './notification.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** One for each `what` that has ever failed for long. */
    faults: {
      id: Generated<number>;
      /** A `Dependency`, and which part of it, such as 'mail'. */
      what: string;
      since: number;
      answer: string;
      overAt: number | null;
    };
  }
}

/** What fails for longer, and without a success between, does not pass by itself. */
const LASTING_MS = 10 * MINUTE_MS;

export class Faults {
  readonly #db: Db;
  readonly #notify: Notify;
  /** Since when it has failed here or, as the table says, anywhere; and when it did last. */
  readonly #failing = new Map<string, { since: number; last: number }>();
  readonly #open = new Set<string>();

  constructor(db: Db, notify: Notify) {
    this.#db = db;
    this.#notify = notify;
  }

  /**
   * `sure`: somebody must mend it, as when a key is refused. `part`: of the service. Never throws:
   * it is called where something else has just failed.
   */
  async failed(service: Dependency, answer: string, { sure = false, part = '' } = {}) {
    const what = `${service} ${part}`.trim();
    const now = Date.now();
    const known = this.#failing.get(what);
    const since = known && now - known.last < HOUR_MS ? known.since : now;
    this.#failing.set(what, { since, last: now });
    if (this.#open.has(what) || (!sure && now - since < LASTING_MS)) return;
    this.#open.add(what);
    const isSaved = await attempt(what, () =>
      this.#db.transaction().execute(async (trx) => {
        const row = { what, since, answer: answer.slice(0, 300), overAt: null };
        // One statement, as another instance may see it fail at the same moment. One that comes and
        // goes is one.
        const news = await trx
          .insertInto('faults')
          .values(row)
          .onConflict((known) =>
            known
              .column('what')
              .doUpdateSet(row)
              .where('faults.overAt', '<', now - DAY_MS),
          )
          .returning('id')
          .executeTakeFirst();
        if (news) await this.#notify(trx, { ...serviceFailed, without: service }, news.id);
        else await trx.updateTable('faults').set(row).where('what', '=', what).execute();
        return true;
      }),
    );
    if (!isSaved) this.#open.delete(what);
  }

  async works(service: Dependency, part = ''): Promise<void> {
    const what = `${service} ${part}`.trim();
    const isKnown = this.#open.delete(what);
    // A refresh that had begun before it was saved does not know it yet.
    if (!this.#failing.delete(what) && !isKnown) return;
    const over = this.#db.updateTable('faults').set({ overAt: Date.now() });
    // One that is over keeps its day: it decides whether the next one is news.
    const open = over.where('what', '=', what).where('overAt', 'is', null);
    // If it fails, the next refresh knows it again.
    await attempt(what, () => open.execute());
  }

  /** What other instances know, and what was known before the start. */
  readonly interval = new Interval('faults-refresh-failed', MINUTE_MS, async () => {
    const rows = await openFaults(this.#db);
    this.#open.clear();
    for (const { what, since } of rows) {
      this.#open.add(what);
      this.#failing.set(what, { since, last: Date.now() });
    }
  });
}

/** Undefined if it failed. Who reports a fault has work of its own to finish, database or not. */
function attempt<Done>(what: string, act: () => Promise<Done>): Promise<Done | undefined> {
  return logFailure('fault-not-saved', { what }, act).catch(() => undefined);
}

export function openFaults(db: Db): Promise<Row<'faults'>[]> {
  return db.selectFrom('faults').selectAll().where('overAt', 'is', null).orderBy('since').execute();
}

/** In words; undefined for what this version does not know. */
export function describeFault({ what, since, answer }: Row<'faults'>): Fault | undefined {
  const [service = '', ...part] = what.split(' ');
  const words = Object.entries(DEPENDENCIES).find(([name]) => name === service)?.[1];
  const detail = [...part, answer].join(' ');
  return words && { service, ...words, answer: detail, since: isoTime(since) };
}

export const serviceFailed: NotificationKind<Row<'faults'>> = {
  kind: 'service-failed',
  label: 'Fault',
  find: (db, id) =>
    db
      .selectFrom('faults')
      .selectAll()
      .where('id', '=', id)
      .where('overAt', 'is', null)
      .executeTakeFirst(),
  reference: (id) => `F-${id}`,
  topic: ({ what }) => `fault ${what}`,
  audiences: () => ['staff'],
  staffMessage(row, { publicUrl }) {
    const { fault = row.what, answer = row.answer, cure = '' } = describeFault(row) ?? {};
    return {
      title: fault,
      warning: cure,
      facts: [
        ['What it says', answer],
        ['Since', isoTime(row.since)],
      ],
      reply: null,
      staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}`,
    };
  },
};
