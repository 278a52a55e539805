/** What must be told is written down in the same transaction as what happened; it is delivered from here. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/tables.server.ts';
import type { Notice } from './notice.ts';

/** Call it inside the transaction that stores what the notice is about. */
export type Tell = (trx: Kysely<Tables>, notice: Notice) => Promise<void>;
