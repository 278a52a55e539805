/** The table of where customers came from, one row beside each thread, quote and order. */
import { chunk } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import type { CallRequest } from '../platform/http/call.server.ts';
import { type Attribution, DIRECT, isBot, readFirstVisit, UNKNOWN } from './read-visit.server.ts';

export type AttributedKind = 'thread' | 'quote' | 'order';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    attributions: Attribution & {
      kind: AttributedKind;
      subjectId: number;
      at: number;
    };
  }
}

export type Visit = Pick<CallRequest<unknown>, 'headers' | 'cookies'>;

/** Saves where the subject came from; without a source of its own, its quote's. */
export async function saveAttribution(
  trx: Db,
  kind: AttributedKind,
  subjectId: number,
  { headers, cookies }: Visit,
  quoteId: number | null = null,
): Promise<void> {
  if (cookies.get('session') !== undefined || isBot(headers.get('user-agent') ?? '')) return;
  const own = readFirstVisit(headers);
  const isTold = own.source !== null || own.host !== null || quoteId === null;
  const ofQuote = isTold ? undefined : await attributionOf(trx, 'quote', quoteId);
  const row = { ...(ofQuote ?? own), kind, subjectId, at: Date.now() };
  await trx.insertInto('attributions').values(row).execute();
}

export async function attributionOf(
  db: Db,
  kind: AttributedKind,
  subjectId: number,
): Promise<Attribution | undefined> {
  return db
    .selectFrom('attributions')
    .select(['source', 'medium', 'campaign', 'host', 'page'])
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .executeTakeFirst();
}

/** In words: 'google, cpc, fall, from news.example, first page /pricing'; null if unknown. */
export async function sourceOf(
  db: Db,
  kind: AttributedKind,
  subjectId: number,
): Promise<string | null> {
  const attribution = await attributionOf(db, kind, subjectId);
  if (!attribution) return null;
  const { source, medium, campaign, host, page } = attribution;
  if (page === null && source === null && host === null) return UNKNOWN;
  const from = host === null ? null : `from ${host}`;
  const words = [source ?? (host === null ? DIRECT : null), medium, campaign, from];
  return [...words, page && `first page ${page}`].filter(Boolean).join(', ');
}

export async function deleteAttributions(
  trx: Db,
  kind: AttributedKind,
  subjectIds: readonly number[],
): Promise<void> {
  for (const ids of chunk(subjectIds))
    await trx
      .deleteFrom('attributions')
      .where('kind', '=', kind)
      .where('subjectId', 'in', ids)
      .execute();
}
