/** Files with what customers are known by: the list of activity says who took how much. */
import type { Db } from '../platform/database/tables.server.ts';
import type { StaffRequest } from '../platform/http/call.server.ts';
import { type Columns, csvDownload } from '../platform/http/file-download.server.ts';
import { recordAudit } from './audit-store.server.ts';

export async function customerFile<Row>(
  db: Db,
  { staff, address }: StaffRequest,
  name: string,
  columns: Columns<Row>,
  batches: AsyncIterable<readonly Row[]>,
): Promise<Response> {
  const event = { kind: 'file-taken', by: staff, address } as const;
  const line = await recordAudit(db, { ...event, detail: name });
  async function* counted() {
    let rows = 0;
    try {
      for await (const batch of batches) {
        rows += batch.length;
        yield batch;
      }
    } finally {
      // Also of a download that ends early.
      await recordAudit(db, { ...event, detail: `${name}, rows: ${rows}` }, line);
    }
  }
  return csvDownload(name, columns, counted());
}
