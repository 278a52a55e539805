/** Bounds on what one connection, one address, and all of them together can hold of the server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limitKey } from './visitor-address.server.ts';

/** Requests of one connection that wait for their answers. Browsers and proxies send the next one after the answer. */
const MAX_PIPELINED = 10;
const MAX_CONNECTIONS = 20_000;
/** Of one address, while the connections are the visitors' own and not those of a proxy. */
const MAX_OF_ADDRESS = 1_000;

export class Connections {
  /** How many requests of each connection are under way. */
  readonly #underWay = new Map<Duplex, number>();
  /** Connections without a request under way, the one that has been so for longest first. */
  readonly #idle = new Set<Socket>();
  readonly #ofAddress = new Map<string, number>();
  readonly #behindProxy: boolean;

  constructor(server: Server, behindProxy: boolean) {
    this.#behindProxy = behindProxy;
    server.on('connection', (socket) => this.#open(socket));
  }

  #open(socket: Socket): void {
    const address = limitKey(socket.remoteAddress ?? '');
    const count = (this.#ofAddress.get(address) ?? 0) + 1;
    if (count > MAX_OF_ADDRESS && !this.#behindProxy) {
      socket.destroy();
      return;
    }
    if (this.#underWay.size >= MAX_CONNECTIONS) {
      const [oldest = socket] = this.#idle;
      oldest.destroy();
      this.#idle.delete(oldest);
      if (oldest === socket) return;
    }
    this.#ofAddress.set(address, count);
    this.#underWay.set(socket, 0);
    this.#idle.add(socket);
    socket.once('close', () => {
      const left = (this.#ofAddress.get(address) ?? 0) - 1;
      if (left > 0) this.#ofAddress.set(address, left);
      else this.#ofAddress.delete(address);
      this.#underWay.delete(socket);
      this.#idle.delete(socket);
    });
  }

  /** Counts a request until its answer has left. False: its connection asks for too much and has been ended. */
  begin({ socket, headers }: IncomingMessage, response: ServerResponse): boolean {
    const underWay = this.#underWay.get(socket) ?? 0;
    // '100 Continue' would be written into the answer before it.
    const most = headers.expect === undefined ? MAX_PIPELINED : 1;
    if (socket.destroyed || underWay >= most) {
      socket.destroy();
      return false;
    }
    this.#idle.delete(socket);
    this.#underWay.set(socket, underWay + 1);
    response.once('close', () => {
      const count = this.#underWay.get(socket);
      if (count === undefined) return;
      this.#underWay.set(socket, count - 1);
      if (count === 1) this.#idle.add(socket);
    });
    // Node does not read what follows a request for another protocol, so nothing may follow it.
    if (headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    return true;
  }

  /** Whether a request of this connection waits for its answer, or for the end of it. */
  isBusy(socket: Duplex): boolean {
    return (this.#underWay.get(socket) ?? 0) > 0;
  }
}
