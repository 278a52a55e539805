import type { Database } from './database/database.server.ts';
import type { Db } from './database/tables.server.ts';

/**
 * What calls and background work have at hand. Each room adds what it needs of others or brings to them by declaration
 * merging, as with `Tables`; `src/app.server.ts` puts it together.
 */
export interface Site {
  database: Database;
  db: Db;
  /** The site's own origin. */
  publicUrl: string;
}
