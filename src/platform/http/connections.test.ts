import { createServer, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Connections } from './connections.server.ts';

test('beyond 20,000 connections the one goes that has been silent for longest', async () => {
  const server = createServer();
  new Connections(server, true);
  const sockets = Array.from({ length: 20_002 }, () => new Socket());
  for (const socket of sockets) server.emit('connection', socket);
  const ended = sockets.flatMap((socket, index) => (socket.destroyed ? [index] : []));
  expect(ended).toEqual([0, 1]);
});
