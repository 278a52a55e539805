/**
 * Records each request when its answer has left. This is in the way of every request, so it only hands the record over:
 * what is stored waits for its batch.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MalformedRequest } from '../platform/http/http-server.server.ts';
import { addressOfRequest, visitorAddress } from '../platform/http/visitor-address.server.ts';
import { type AccessRecord, LEFT_BEFORE_ANSWER } from './access-record.server.ts';

const UNRECORDED = /^\/(healthz|readyz)(\?|$)/;

/** Bytes are those that were sent, the head included. */
export function requestRecorder(take: (record: AccessRecord) => void, trustProxy: number) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { headers, method = '', url = '', socket } = request;
    if (UNRECORDED.test(url)) return;
    const beganAt = performance.now();
    const sentBefore = socket.bytesWritten;
    response.on('close', () => {
      const duration = performance.now() - beganAt;
      take({
        at: Math.round(Date.now() - duration),
        ip: addressOfRequest(request, trustProxy),
        method,
        url,
        status: response.headersSent ? response.statusCode : LEFT_BEFORE_ANSWER,
        durationUs: Math.round(duration * 1000),
        bytes: socket.bytesWritten - sentBefore,
        referrer: headers.referer ?? '',
        userAgent: headers['user-agent'] ?? '',
      });
    });
  };
}

/** One that never became a request: method and address are unknown. */
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
