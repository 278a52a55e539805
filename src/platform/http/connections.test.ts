import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Connections } from './http-server.server.ts';

test('beyond 20,000 connections the one goes that has been without a request for longest, and never one that waits for an answer', () => {
  const server = createServer();
  const connections = new Connections(server, true);
  const open = () => {
    const socket = new Socket();
    server.emit('connection', socket);
    return socket;
  };
  const ask = (socket: Socket) => {
    const request = new IncomingMessage(socket);
    const response = new ServerResponse(request);
    connections.begin(request, response);
    return response;
  };
  const sockets = Array.from({ length: 20_000 }, open);
  const [waiting, silent, answered, ...others] = sockets;
  if (!waiting || !silent || !answered) throw new Error('no sockets');
  const responses = [waiting, ...others].map(ask);
  ask(answered).emit('close');
  // As the event loop would: a socket that was destroyed is closed a moment later.
  for (const expected of [silent, answered]) {
    const newcomer = open();
    expect([expected.destroyed, newcomer.destroyed]).toEqual([true, false]);
    expected.emit('close');
    ask(newcomer);
  }
  // Everybody else waits for an answer: then there is no room for one more.
  expect(open().destroyed).toBe(true);
  responses[0]?.emit('close');
  expect([open().destroyed, waiting.destroyed]).toEqual([false, true]);
});
