/** What a scraper reads of the requests that were answered. */
import { expect, test } from 'vitest';
import { request } from '../../tests/support/access-records.ts';
import type { AccessRecord } from './access-record.server.ts';
import { RequestMetrics } from './metrics.server.ts';

const LOG = { counters: { stored: 7, dropped: 2 }, waiting: 3 };

function answered(status: number, durationMs: number, bytes: number): AccessRecord {
  return request(0, { status, durationUs: durationMs * 1000, bytes });
}

test('requests are counted by status, their time in seconds, their bodies in bytes', () => {
  const metrics = new RequestMetrics();
  metrics.count(answered(200, 1_500, 40));
  metrics.count(answered(200, 250, 2));
  metrics.count(answered(503, 250, 0));
  const lines = metrics.text(LOG).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'http_requests_total{status="200"} 2',
      'http_requests_total{status="503"} 1',
      'http_request_duration_seconds_sum 2',
      'http_request_duration_seconds_count 3',
      'http_request_duration_seconds_bucket{le="0.25"} 2',
      'http_request_duration_seconds_bucket{le="+Inf"} 3',
      'http_response_body_bytes_total 42',
      'access_log_stored_total 7',
      'access_log_dropped_total 2',
      'access_log_waiting 3',
    ]),
  );
});
