/** Reports on their way, kept for a day: so nobody can have one address flooded with them. */
import type { Generated, Kysely } from 'kysely';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { fromTimeToTime, type Work } from '../platform/from-time-to-time.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    safeguardsReports: SafeguardsReportTable;
  }
}

interface SafeguardsReportTable {
  id: Generated<number>;
  email: string;
  /** JSON of a `StoredReport`, in our own words only. */
  report: string;
  at: number;
}

export const REPORT_DAY_MS = 24 * 60 * 60 * 1000;
const FORGET_EVERY_MS = 60 * 60 * 1000;

export type Report = Row<'safeguardsReports'>;

/** What the email says, as it was when it was asked for. */
export interface StoredReport {
  counts: string;
  /** Each element with its state. */
  elements: [label: string, state: string][];
  first: string[];
}

export async function insertReport(
  trx: Kysely<Tables>,
  email: string,
  report: StoredReport,
): Promise<number> {
  const { id } = await trx
    .insertInto('safeguardsReports')
    .values({ email, report: JSON.stringify(report), at: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export function findReport(db: Kysely<Tables>, id: number): Promise<Report | undefined> {
  return db.selectFrom('safeguardsReports').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function countReportsSince(
  db: Kysely<Tables>,
  email: string,
  time: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('safeguardsReports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sameAddress('email', email))
    .where('at', '>', time)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export function forgetOldReports(db: Kysely<Tables>): Work {
  return fromTimeToTime('safeguards-reports-not-forgotten', FORGET_EVERY_MS, async () => {
    await db
      .deleteFrom('safeguardsReports')
      .where('at', '<', Date.now() - REPORT_DAY_MS)
      .execute();
  });
}

/** Nothing is left of an address that is erased. */
export async function forgetReports(trx: Kysely<Tables>, email: string): Promise<void> {
  await trx.deleteFrom('safeguardsReports').where(sameAddress('email', email)).execute();
}
