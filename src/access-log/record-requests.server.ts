/**
 * Takes down each request when its answer has left. This is on the way of every request, so it only remembers:
 * what must be cleaned, counted and stored waits for its batch.
 */
import type { IncomingMessage } from 'node:http';
import type { MalformedRequest } from '../platform/http/malformed-requests.server.ts';
import type { MeasuredResponse } from '../platform/http/measured-response.server.ts';
import { visitorAddress } from '../platform/http/visitor-address.server.ts';
import { type AccessRecord, LEFT_BEFORE_ANSWER } from './access-record.server.ts';

export type RequestRecorder = (request: IncomingMessage, response: MeasuredResponse) => void;

const UNRECORDED = /^\/(healthz|readyz)(\?|$)/;

export function requestRecorder(
  take: (record: AccessRecord) => void,
  trustProxy: number,
): RequestRecorder {
  function takeDown(this: MeasuredResponse) {
    const { socket, headers, method = '', url = '' } = this.req;
    const duration = performance.now() - this.beganAt;
    take({
      at: Math.round(Date.now() - duration),
      ip: visitorAddress(
        socket.remoteAddress ?? '',
        joined(headers['x-forwarded-for']),
        trustProxy,
      ),
      method,
      url,
      status: this.headersSent ? this.statusCode : LEFT_BEFORE_ANSWER,
      durationUs: Math.round(duration * 1000),
      bytes: this.bodyBytes,
      referrer: headers.referer ?? '',
      userAgent: headers['user-agent'] ?? '',
    });
  }
  return ({ url = '' }, response) => {
    if (!UNRECORDED.test(url)) response.on('close', takeDown);
  };
}

/** One that never became a request: what it asked for is not known. */
export function malformedRecord({ address, status, bytes }: MalformedRequest): AccessRecord {
  return {
    at: Date.now(),
    ip: visitorAddress(address, undefined, 0),
    method: '',
    url: '',
    status,
    durationUs: 0,
    bytes,
    referrer: '',
    userAgent: '',
  };
}

function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}
