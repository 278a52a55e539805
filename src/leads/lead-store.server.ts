/** The table of where customers came from, one row beside each thread, quote and order. */
import { chunk } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import type { CallRequest } from '../platform/http/call.server.ts';
import { DIRECT, isBot, type Lead, readFirstVisit, UNKNOWN } from './read-visit.server.ts';

export type LeadKind = 'thread' | 'quote' | 'order';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    leads: Lead & {
      kind: LeadKind;
      /** The row that it is about. */
      subjectId: number;
      at: number;
    };
  }
}

/** What a request says of its tab. */
export type Visit = Pick<CallRequest<unknown>, 'headers' | 'cookies'>;

/**
 * Call it in the transaction that saves the subject. What staff or bots send has no lead. `quoteId`: the quote that an
 * order accepts, often from a link in an email; then the quote's lead says more.
 */
export async function saveLead(
  trx: Db,
  kind: LeadKind,
  subjectId: number,
  { headers, cookies }: Visit,
  quoteId: number | null = null,
): Promise<void> {
  if (cookies.get('session') !== undefined || isBot(headers.get('user-agent') ?? '')) return;
  const own = readFirstVisit(headers);
  const isTold = own.source !== null || own.host !== null || quoteId === null;
  const ofQuote = isTold ? undefined : await leadOf(trx, 'quote', quoteId);
  const row = { ...(ofQuote ?? own), kind, subjectId, at: Date.now() };
  await trx.insertInto('leads').values(row).execute();
}

export async function leadOf(db: Db, kind: LeadKind, subjectId: number): Promise<Lead | undefined> {
  return db
    .selectFrom('leads')
    .select(['source', 'medium', 'campaign', 'host', 'page'])
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .executeTakeFirst();
}

/** In words, such as 'google, cpc, fall, from news.example, first page /pricing'; null if there is no lead. */
export async function sourceOf(db: Db, kind: LeadKind, subjectId: number): Promise<string | null> {
  const lead = await leadOf(db, kind, subjectId);
  if (!lead) return null;
  const { source, medium, campaign, host, page } = lead;
  if (page === null && source === null && host === null) return UNKNOWN;
  const from = host === null ? null : `from ${host}`;
  const words = [source ?? (host === null ? DIRECT : null), medium, campaign, from];
  return [...words, page && `first page ${page}`].filter(Boolean).join(', ');
}

export async function deleteLeads(
  trx: Db,
  kind: LeadKind,
  subjectIds: readonly number[],
): Promise<void> {
  for (const ids of chunk(subjectIds))
    await trx.deleteFrom('leads').where('kind', '=', kind).where('subjectId', 'in', ids).execute();
}
