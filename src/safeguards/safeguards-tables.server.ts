/** Reports that were asked for by email, for one day. */
import type { Generated } from 'kysely';

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
