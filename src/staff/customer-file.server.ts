/** Files with what customers are known by: the list of activity says who took which. */
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
  await recordAudit(db, { kind: 'file-taken', by: staff, address, detail: name });
  return csvDownload(name, columns, batches);
}
