import { expect, test } from 'vitest';
import { listen, stopListening } from './http-server.server.ts';

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
