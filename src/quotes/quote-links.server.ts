/** The addresses of quotes. Each holds 128 random bits of which the database has the hash, so it opens nothing if stolen. */
import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { QUOTE_PAGE } from './quote-page-address.ts';
import { findLinkedQuote, insertLink, type Quote } from './quote-store.server.ts';

const TOKEN = /^[\w-]{22}$/;

export interface QuoteLinks {
  /** A new address of the quote; those before stay good. In `db`, which may be a transaction. */
  mint(db: Kysely<Tables>, quoteId: number): Promise<string>;
  /** The quote that the token leads to; undefined for one that is cut, forged or gone. */
  find(token: string): Promise<Quote | undefined>;
}

export function quoteLinks(db: Kysely<Tables>, publicUrl: string): QuoteLinks {
  return {
    async mint(trx, quoteId) {
      const token = randomBytes(16).toString('base64url');
      await insertLink(trx, quoteId, hashOf(token));
      return publicUrl + QUOTE_PAGE.path.replace(':token', token);
    },
    async find(token) {
      return TOKEN.test(token) ? findLinkedQuote(db, hashOf(token)) : undefined;
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
