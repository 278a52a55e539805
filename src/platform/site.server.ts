import type { Database } from './database/database.server.ts';
import type { Db } from './database/tables.server.ts';
import type { HeaderSets } from './http/headers.server.ts';
import type { RateLimits } from './http/rate-limit.server.ts';

/** What calls and background work have at hand. Features add to it by declaration merging. */
export interface Site {
  database: Database;
  db: Db;
  /** PUBLIC_URL, or the origin that the server listens on. */
  publicUrl: string;
  limits: RateLimits;
  headers: HeaderSets;
}
