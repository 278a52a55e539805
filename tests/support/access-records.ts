/** Sample records for the access log, its pages, and what browsers send. */
import type { AccessRecord } from '../../src/access-log/access-record.server.ts';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36';

/** What browsers send when they load a page that perhaps no one will see. */
export const LOADED_AHEAD: Record<string, string>[] = [
  { 'Sec-Purpose': 'prefetch' },
  { 'Sec-Purpose': 'prefetch;prerender' },
  { 'Sec-Purpose': 'prefetch;anonymous-client-ip' },
  { Purpose: 'prefetch' },
  { 'X-Purpose': 'preview' },
  { 'X-Moz': 'prefetch' },
];

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
