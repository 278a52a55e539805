/** Files with what customers are known by: the list of activity says who took which, how much. */
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
  const taken = (detail: string, line?: number) =>
    recordAudit(db, { kind: 'file-taken', by: staff, address, detail }, line);
  const line = await taken(name);
  async function* counted() {
    let rows = 0;
    try {
      for await (const batch of batches) {
        yield batch;
        rows += batch.length;
      }
    } finally {
      // Also of a file that its reader broke off.
      await taken(`${name}: ${rows} row${rows === 1 ? '' : 's'}`, line);
    }
  }
  return csvDownload(name, columns, counted());
}
