/** The terms as they read on the day of an acceptance, kept once by their SHA-256. */

import { hash } from 'node:crypto';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Site } from '../site.server.ts';
import { READ_TERMS } from './order-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    termsVersions: {
      hash: string;
      /** A day, such as '2026-05-13'. */
      updated: string;
      text: string;
    };
  }
}

export type TermsVersion = Row<'termsVersions'>;

interface TextPage {
  name: string;
  title: string;
  updated: string;
  text: string;
}

export function termsVersion(pages: readonly TextPage[]): TermsVersion {
  const terms = textVersion(pages, 'terms-of-service');
  if (!terms) throw new Error('content/pages has no terms of service');
  return terms;
}

/** Null where content/pages has no such text. */
export function textVersion(pages: readonly TextPage[], of: string): TermsVersion | null {
  const page = pages.find(({ name }) => name === of);
  if (!page) return null;
  const { title, updated, text: body } = page;
  const text = `# ${title}\n\nLast Updated: ${updated}\n${body}`;
  return { hash: hash('sha256', text), updated, text };
}

/** What a page shows and sends back when the text is accepted. */
export function versionJson(version: TermsVersion | null) {
  return version && { updated: version.updated, hash: version.hash };
}

export const ADDENDUM_CHANGED = 'The addendum has changed. Please read it again.';

interface Accepting {
  name: string;
  title: string | null;
}

/** Keeps the texts and returns what an order stores of their acceptance. */
export async function keepAcceptance(
  trx: Db,
  { terms, addendum }: { terms: TermsVersion; addendum: TermsVersion | null },
  who: Accepting,
) {
  await keepText(trx, terms);
  return {
    acceptedName: who.name,
    acceptedTitle: who.title,
    termsDate: terms.updated,
    termsHash: terms.hash,
    ...(addendum && (await keepAddendum(trx, addendum, who))),
  };
}

export async function keepAddendum(trx: Db, text: TermsVersion, { name, title }: Accepting) {
  await keepText(trx, text);
  return {
    addendumName: name,
    addendumTitle: title,
    addendumDate: text.updated,
    addendumHash: text.hash,
    addendumAt: Date.now(),
  };
}

async function keepText(trx: Db, text: TermsVersion): Promise<void> {
  await trx
    .insertInto('termsVersions')
    .values(text)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** As plain text, so that anyone can compute its SHA-256. */
export function readTerms({ db }: Site): Call {
  return call(READ_TERMS, 'anyone', async ({ params }) => {
    const terms = await db
      .selectFrom('termsVersions')
      .select('text')
      .where('hash', '=', params.hash ?? '')
      .executeTakeFirst();
    if (!terms) return refuse(404, 'No one has accepted these terms');
    return new Response(terms.text, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  });
}
