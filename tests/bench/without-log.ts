/** Stands for the recorder and its response in a server that keeps no access log. */
import { ServerResponse } from 'node:http';

export const MeasuredResponse = ServerResponse;

export function requestRecorder() {
  return () => undefined;
}
