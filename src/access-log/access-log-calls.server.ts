/** What staff may ask of the access log. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { csvDownload } from '../platform/http/file-download.server.ts';
import type { AccessLog } from './access-log.server.ts';
import { DOWNLOAD_LOG, READ_ANALYTICS, READ_LOG } from './access-log-api.ts';
import { allRecords, newestRecords, readAnalytics } from './access-log-store.server.ts';
import { CSV_COLUMNS, combinedLogLine } from './access-record.server.ts';

/** As many lines as Raw Logs shows. */
const RAW_LINES = 5000;

export function accessLogCalls(db: Kysely<Tables>, log: AccessLog): Call[] {
  return [
    call(READ_LOG, {
      access: 'staff',
      handle: async () => {
        await log.flush();
        const records = await newestRecords(db, Date.now(), RAW_LINES).execute();
        const logs = records.map(combinedLogLine).join('\n');
        return { success: true, logs, message: 'The newest requests of the last 24 hours' };
      },
    }),
    call(READ_ANALYTICS, {
      access: 'staff',
      handle: async () => {
        await log.flush();
        const analytics = await readAnalytics(db, Date.now());
        return { success: true, analytics, message: 'The figures of the last 24 hours' };
      },
    }),
    call(DOWNLOAD_LOG, {
      access: 'staff',
      handle: async () => {
        await log.flush();
        return csvDownload('access-log', CSV_COLUMNS, allRecords(db, Date.now()));
      },
    }),
  ];
}
