import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that a test starts and stops, also while calls to it hang. */
export abstract class LocalServer {
  readonly #server = createServer((request, response) => {
    this.handle(request, response).catch(() => response.destroy());
  });

  protected abstract handle(request: IncomingMessage, response: ServerResponse): Promise<void>;

  async listen(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}
