/** Node's response, which also knows when it began and how many bytes of body it was given to send. */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';

export class MeasuredResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** By the clock of `performance.now()`. */
  readonly beganAt = performance.now();
  bodyBytes = 0;

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    this.bodyBytes += byteLength(chunk);
    return Reflect.apply(super.write, this, [chunk, encoding, callback]);
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    this.bodyBytes += byteLength(chunk);
    return Reflect.apply(super.end, this, [chunk, encoding, callback]);
  }
}

export type SiteServer = Server<typeof IncomingMessage, typeof MeasuredResponse>;

function byteLength(chunk: unknown): number {
  if (typeof chunk === 'string') return Buffer.byteLength(chunk);
  return chunk instanceof Uint8Array ? chunk.byteLength : 0;
}
