/** Who came in, who tried to, who left: kept for a year, so that a break-in found late can still be read up. */
import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { shortAddress } from '../platform/http/visitor-address.server.ts';
import { DAY_MS } from '../platform/time.ts';
import { AUDIT_PAGE, type AuditEntry, type AuditKind } from './staff-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    audit: AuditTable;
  }
}

/** What happened at the staff's door. */
interface AuditTable {
  id: Generated<number>;
  at: number;
  kind: string;
  username: string;
  address: string;
  detail: string;
}

const KEPT_MS = 365 * DAY_MS;
/** Rows that strangers cause by failing: the oldest go first, or a flood of them would fill the disk. */
const MOST_FAILURES = 100_000;

interface AuditEvent {
  kind: AuditKind;
  username: string;
  /** The full address; what is stored is shortened. Without one: done on the server itself. */
  address?: string;
  detail?: string;
}

export async function recordAudit(db: Kysely<Tables>, event: AuditEvent): Promise<void> {
  const { kind, username, address, detail = '' } = event;
  const { id } = await db
    .insertInto('audit')
    .values({
      at: Date.now(),
      kind,
      username,
      address: address ? shortAddress(address) : '',
      detail,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (kind !== 'sign-in-failed') return;
  await db
    .deleteFrom('audit')
    .where('id', '<=', id - MOST_FAILURES)
    .where('kind', '=', kind)
    .execute();
}

/** `page` counts from 1. */
export async function readAudit(
  db: Kysely<Tables>,
  page: number,
): Promise<{ total: number; entries: AuditEntry[] }> {
  const { total } = await db
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(AUDIT_PAGE)
    .offset((page - 1) * AUDIT_PAGE)
    .execute();
  return { total, entries: rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })) };
}

export async function forgetOldAudit(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('audit')
    .where('at', '<', Date.now() - KEPT_MS)
    .execute();
}
