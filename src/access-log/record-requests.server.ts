/**
 * Takes down each request when its answer has left. This is on the way of every request, so it only remembers:
 * what must be cleaned, counted and stored waits for its batch.
 */
import type { IncomingMessage } from 'node:http';
import type { PlainAnswered } from '../platform/http/finished/plain-answers.server.ts';
import type { MalformedRequest } from '../platform/http/malformed-requests.server.ts';
import type { MeasuredResponse } from '../platform/http/measured-response.server.ts';
import { addressOfRequest, visitorAddress } from '../platform/http/visitor-address.server.ts';
import { type AccessRecord, LEFT_BEFORE_ANSWER } from './access-record.server.ts';

export type RequestRecorder = (request: IncomingMessage, response: MeasuredResponse) => void;

const UNRECORDED = /^\/(healthz|readyz)(\?|$)/;

export function requestRecorder(
  take: (record: AccessRecord) => void,
  trustProxy: number,
): RequestRecorder {
  function takeDown(this: MeasuredResponse) {
    const { headers, method = '', url = '' } = this.req;
    const duration = performance.now() - this.beganAt;
    take({
      at: Math.round(Date.now() - duration),
      ip: addressOfRequest(this.req, trustProxy),
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

/** Takes down those that were answered before Node had made a request of them. */
export function plainRecorder(take: (record: AccessRecord) => void) {
  return ({ address, method, url, headers, status, bytes, beganAt }: PlainAnswered): void => {
    const duration = performance.now() - beganAt;
    take({
      at: Math.round(Date.now() - duration),
      ip: address,
      method,
      url,
      status,
      durationUs: Math.round(duration * 1000),
      bytes,
      referrer: headers.referrer,
      userAgent: headers.userAgent,
    });
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
