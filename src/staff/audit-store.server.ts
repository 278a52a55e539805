/**
 * The record of sign-ins and of what staff do that has no event of an order, kept for a year to
 * trace a late-found break-in. Release 1.0 stored their acts on orders here, too.
 */
import type { Generated } from 'kysely';
import type { Db, NewRow } from '../platform/database/tables.server.ts';
import type { Staff } from '../platform/http/call.server.ts';
import { networkOf } from '../platform/http/client-ip.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../platform/time.ts';
import type { AuditEntry, AuditKind } from './staff-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    audit: {
      id: Generated<number>;
      at: number;
      kind: string;
      /** Who acted: the account, or null, and its name then. */
      accountId: number | null;
      name: string;
      address: string;
      detail: string;
    };
  }
}

export const AUDIT_KEPT_MS = 365 * DAY_MS;
/** Anyone can add failed sign-ins, so the oldest are deleted. */
const MAX_FAILURES = 100_000;

export interface AuditEvent {
  kind: AuditKind;
  /** The account that acts, or null if no account has the name that was typed. */
  by: Pick<Staff, 'accountId' | 'name'> | null;
  /** In full; stored shortened. Missing for an action on the server itself, such as a command. */
  address?: string;
  detail?: string;
}

/** Returns the row's id. `line`: the row of the same action so far, which gets the new detail. */
export async function recordAudit(db: Db, event: AuditEvent, line?: number): Promise<number> {
  const row = rowOf(event);
  if (line !== undefined) {
    const { detail } = row;
    await db.updateTable('audit').set({ detail }).where('id', '=', line).execute();
    return line;
  }
  const inserting = db.insertInto('audit').values(row).returning('id');
  return (await inserting.executeTakeFirstOrThrow()).id;
}

function rowOf({ kind, by, address, detail = '' }: AuditEvent) {
  const who = { accountId: by?.accountId ?? null, name: by?.name ?? '' };
  return { ...who, at: Date.now(), kind, detail, address: address ? networkOf(address) : '' };
}

export type FailureAudit = ReturnType<typeof failureAudit>;

/** What anyone can cause is written once a second for all: a refusal must not wait for the disk. */
export function failureAudit(db: Db) {
  let waiting: ReturnType<typeof rowOf>[] = [];

  async function write(trx: Db, rows: readonly NewRow<'audit'>[]): Promise<void> {
    const inserting = trx.insertInto('audit').values(rows).returning('id');
    const ids = (await inserting.execute()).map(({ id }) => id);
    await trx
      .deleteFrom('audit')
      .where('id', '<=', Math.max(...ids) - MAX_FAILURES)
      .where('kind', '=', 'sign-in-failed')
      .execute();
  }

  return {
    add: (event: AuditEvent) => void waiting.push(rowOf(event)),
    writing: new Interval('failure-audit-failed', SECOND_MS, async () => {
      const rows = waiting;
      waiting = [];
      if (rows.length > 0) await db.transaction().execute((trx) => write(trx, rows));
    }),
  };
}

/** The newest. */
export async function readAudit(
  db: Db,
  limit: number,
): Promise<{ total: number; entries: AuditEntry[] }> {
  const { total } = await db
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return {
    total,
    entries: rows.map(({ accountId: _, ...row }) => ({ ...row, at: isoTime(row.at) })),
  };
}

export async function deleteOldAudit(db: Db): Promise<void> {
  await db
    .deleteFrom('audit')
    .where('at', '<', Date.now() - AUDIT_KEPT_MS)
    .execute();
}
