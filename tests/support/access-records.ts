/** Requests as the access log takes them, and as it gives them back. */
import type { AccessRecord } from '../../src/access-log/access-record.server.ts';
import { newestRecords } from '../../src/access-log/read-log.server.ts';
import type { Database } from '../../src/platform/database/database.server.ts';

export function request(at: number, more: Partial<AccessRecord> = {}): AccessRecord {
  return {
    at,
    ip: '192.0.2.1',
    method: 'GET',
    url: '/',
    status: 200,
    durationUs: 1500,
    bytes: 100,
    referrer: '',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    ...more,
  };
}

export async function storedRequests({ db }: Database, from: number): Promise<AccessRecord[]> {
  const records: AccessRecord[] = [];
  for await (const piece of newestRecords(db, from)) records.push(...piece);
  return records;
}
