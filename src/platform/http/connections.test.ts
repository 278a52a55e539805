import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Connections, listen, stopListening } from './http-server.server.ts';

test('connection 20,001 closes the one that was idle longest, and never one that waits for an answer', () => {
  const server = createServer();
  const connections = new Connections(server, true);
  const open = () => {
    const socket = new Socket();
    server.emit('connection', socket);
    return socket;
  };
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
