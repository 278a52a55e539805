/** The table of where customers came from, one row beside each message, chat, quote and order. */
import { sql } from 'kysely';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import type { CallRequest } from '../platform/http/call.server.ts';
import type { LeadView } from './lead.ts';
import { DIRECT, isBot, type Lead, labelOf, readFirstVisit, UNKNOWN } from './read-visit.server.ts';

export type LeadKind = 'message' | 'chat' | 'quote' | 'order';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    leads: Lead & {
      kind: LeadKind;
      /** The row that it is about; of a chat, its first message. */
      subjectId: number;
      at: number;
    };
  }
}

/** As `labelOf`. */
export const LABEL = sql<string>`coalesce("source", "host", case when "page" is null then ${sql.lit(UNKNOWN)} else ${sql.lit(DIRECT)} end)`;

/**
 * Call it in the transaction that saves the subject. What staff or bots send has no source. `quoteId`: the quote that an
 * order accepts, often from a link in an email; then the quote's source says more.
 */
export async function saveLead(
  trx: Db,
  kind: LeadKind,
  subjectId: number,
  { headers, cookies }: Pick<CallRequest<unknown>, 'headers' | 'cookies'>,
  quoteId: number | null = null,
): Promise<void> {
  if (cookies.get('session') !== undefined || isBot(headers.get('user-agent') ?? '')) return;
  const own = readFirstVisit(headers);
  const isTold = own.source !== null || own.host !== null || quoteId === null;
  const ofQuote = isTold ? undefined : await findLead(trx, 'quote', quoteId);
  await trx
    .insertInto('leads')
    .values({ ...(ofQuote ?? own), kind, subjectId, at: Date.now() })
    .execute();
}

function findLead(db: Db, kind: LeadKind, subjectId: number) {
  return db
    .selectFrom('leads')
    .selectAll()
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .executeTakeFirst();
}

/** Where the sender of a message, chat or quote, or the buyer, came from; null if it is not known. */
export async function sourceOf(
  db: Db,
  kind: LeadKind,
  subjectId: number,
): Promise<LeadView | null> {
  const lead = await findLead(db, kind, subjectId);
  if (!lead) return null;
  const { medium, campaign, host, page } = lead;
  return { label: labelOf(lead), medium, campaign, host, page };
}

export async function deleteLeads(
  trx: Db,
  kind: LeadKind,
  subjectIds: readonly number[],
): Promise<void> {
  for (const ids of chunk(subjectIds))
    await trx.deleteFrom('leads').where('kind', '=', kind).where('subjectId', 'in', ids).execute();
}
