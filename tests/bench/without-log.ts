/** Stands for the recorder and its response in a server that keeps no access log. */
import { ServerResponse } from 'node:http';

export const MeasuredResponse = ServerResponse;

export const requestRecorder = () => () => undefined;
export const plainRecorder = () => () => undefined;

/** The bench sends nothing that cannot be read. */
export function malformedRecord(): never {
  throw new Error('a request that could not be read came to a server without a log');
}
