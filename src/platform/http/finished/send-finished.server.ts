/** Sends finished answers before the framework sees the request; whatever is unusual about one is for the framework. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { memoize } from '../../memoize.ts';
import { addressOfRequest } from '../visitor-address.server.ts';
import type { FinishedAnswer } from './finished-answer.server.ts';

/** Undefined for a path at which nothing is finished for this visitor, whose address is looked up if it matters. */
export type FindFinished = (path: string, visitor: () => string) => FinishedAnswer | undefined;

/** Gives what answers a request if it can: then it is true. */
export function finishedSender(find: FindFinished, trustProxy: number) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !isUsualHost(headers.host ?? '')) return false;
    const found = find(pathOf(url), () => addressOfRequest(request, trustProxy));
    if (!found) return false;
    const accepted = headers['accept-encoding']?.toString();
    const part = found.part(accepted, headers['if-none-match']);
    response.writeHead(part.status, part.headers).end(method === 'GET' ? part.body : undefined);
    return true;
  };
}

export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** What is no host at all is refused by the framework. */
export const isUsualHost: (host: string) => boolean = memoize((host) =>
  /^([a-z\d.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host),
);
