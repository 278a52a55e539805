/**
 * The record of sign-ins and of what staff do that has no event of an order, kept for a year to
 * trace a late-found break-in. Release 1.0 stored their acts on orders here, too.
 */
import type { Generated } from 'kysely';
import type { Db } from '../platform/database/tables.server.ts';
import type { Staff } from '../platform/http/call.server.ts';
import { networkOf } from '../platform/http/client-ip.server.ts';
import { DAY_MS, isoTime } from '../platform/time.ts';
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
  const { kind, by, address, detail = '' } = event;
  if (line !== undefined) {
    await db.updateTable('audit').set({ detail }).where('id', '=', line).execute();
    return line;
  }
  const who = { accountId: by?.accountId ?? null, name: by?.name ?? '' };
  const row = { ...who, at: Date.now(), kind, detail };
  const { id } = await db
    .insertInto('audit')
    .values({ ...row, address: address ? networkOf(address) : '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (kind !== 'sign-in-failed') return id;
  await db
    .deleteFrom('audit')
    .where('id', '<=', id - MAX_FAILURES)
    .where('kind', '=', kind)
    .execute();
  return id;
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
