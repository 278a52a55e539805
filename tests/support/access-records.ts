/** Sample records for the access log, and its pages. */
import type { AccessRecord } from '../../src/access-log/access-record.server.ts';

/** The pages of a small site. */
export const pageOf = (path: string) => (['/', '/news'].includes(path) ? path : undefined);

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
