import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { connectTo } from '../../../tests/support/raw-request.ts';
import { Connections, listen, listeningOrigin, stopListening } from './http-server.server.ts';

/** A server's limited connections, and how a client opens another. */
function limited() {
  const server = createServer();
  const connections = new Connections(server, true);
  const open = () => {
    const socket = new Socket();
    server.emit('connection', socket);
    return socket;
  };
  return { connections, open };
}

test('connection 20,001 closes the one that was idle longest, and never one that waits for an answer', () => {
  const { connections, open } = limited();
  const request = (socket: Socket) => {
    const message = new IncomingMessage(socket);
    const response = new ServerResponse(message);
    connections.begin(message, response);
    return response;
  };
  const sockets = Array.from({ length: 20_000 }, open);
  const [waiting, silent, answered, ...others] = sockets;
  if (!waiting || !silent || !answered) throw new Error('no sockets');
  const responses = [waiting, ...others].map(request);
  request(answered).emit('close');
  // A destroyed socket emits 'close' later; here the test does.
  for (const expected of [silent, answered]) {
    const newcomer = open();
    expect([expected.destroyed, newcomer.destroyed]).toEqual([true, false]);
    expected.emit('close');
    request(newcomer);
  }
  // All others wait for an answer, so a newcomer is refused.
  expect(open().destroyed).toBe(true);
  responses[0]?.emit('close');
  expect([open().destroyed, waiting.destroyed]).toEqual([false, true]);
});

test('a connection whose request lacks its body is idle until the body has arrived', () => {
  const { connections, open } = limited();
  const post = (socket: Socket) => {
    const message = new IncomingMessage(socket);
    message.method = 'POST';
    message.headers['content-length'] = '65000';
    connections.begin(message, new ServerResponse(message));
  };
  const [whole, ...partial] = Array.from({ length: 20_000 }, open);
  if (!whole) throw new Error('no socket');
  for (const socket of [whole, ...partial]) post(socket);
  connections.bodyArrived(whole);
  expect([open().destroyed, whole.destroyed, partial[0]?.destroyed]).toEqual([false, false, true]);
});

test('nothing is made for a request whose body has not arrived, but a line in the log', async () => {
  const seen: string[] = [];
  const site = {
    record: () => seen.push('recorded'),
    answer: (_: IncomingMessage, response: ServerResponse) => {
      seen.push('answered');
      response.end();
    },
    headers: {},
    recordMalformed: () => undefined,
  };
  const server = await listen({ host: '127.0.0.1', port: 0, trustProxy: 0 }, Promise.resolve(site));
  const socket = connectTo(listeningOrigin(server, '127.0.0.1')).resume();
  socket.write('POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{');
  await expect.poll(() => seen).toEqual(['recorded']);
  socket.write('}');
  await expect.poll(() => seen).toEqual(['recorded', 'answered']);
  socket.destroy();
  await stopListening(server, 0);
});

test.each([
  ['without a proxy', 0, 5_000],
  ['behind a proxy, which must be the first to close it', 1, 65_000],
])(
  'a slow client is cut off in time, and so is an idle connection %s',
  async (_, trustProxy, keepAliveTimeout) => {
    const never = new Promise<never>(() => undefined);
    const server = await listen({ host: '127.0.0.1', port: 0, trustProxy }, never);
    const times = { headersTimeout: 10_000, requestTimeout: 20_000, timeout: 60_000 };
    expect(server).toMatchObject({ ...times, keepAliveTimeout });
    await stopListening(server, 0);
  },
);
