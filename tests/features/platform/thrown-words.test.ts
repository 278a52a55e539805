/** The internal messages of the calls are part of their documentation: what fails is thrown in these words. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LIST_PLANS } from '../../../src/catalogue/catalogue.ts';
import { fetchContacts } from '../../../src/inbox/inbox-page.tsx';
import { fetchCall } from '../../../src/platform/fetch-call.ts';

/** What the server says to everything, or nothing at all. */
let says: { status: number; body: string } | null = null;
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    if (!says) return void request.socket.destroy();
    response.writeHead(says.status).end(says.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = globalThis.fetch;
  // A page's calls have no origin of their own.
  vi.stubGlobal('fetch', (path: string, options: RequestInit) =>
    ask(`http://127.0.0.1:${port}${path}`, options),
  );
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

const answer = (status: number, body: string) => {
  says = { status, body };
};

describe('a call that fails throws', () => {
  test('its status and what was said, or the name of the status', async () => {
    answer(418, 'short and stout');
    await expect(fetchCall(LIST_PLANS)).rejects.toThrow('418: short and stout');
    answer(404, '');
    await expect(fetchCall(LIST_PLANS)).rejects.toThrow('404: Not Found');
  });

  test('that the contacts were not fetched, whatever came or nothing', async () => {
    for (const said of [
      { status: 500, body: '{"message":"no"}' },
      { status: 200, body: '<html>' },
      null,
    ]) {
      says = said;
      await expect(fetchContacts()).rejects.toThrow('Failed to fetch contacts');
    }
  });
});
