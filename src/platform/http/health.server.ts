/** Whether the site lives and could take an order, and what is answered when something fails. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { isDatabaseAway } from '../database/database-away.server.ts';
import { logEvent, logFault } from '../log.server.ts';
import { refuse, sendJson } from './answer.server.ts';

export function healthRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  headers: Record<string, string>,
  isReady: () => Promise<boolean>,
): void {
  const own = Object.entries(headers);
  app.get('/healthz', () => sendJson({ status: 'alive' }, 200, own));
  app.get('/readyz', async () =>
    (await isReady())
      ? sendJson({ status: 'ready' }, 200, own)
      : refuse(503, 'not ready', { retryAfter: 5, headers }),
  );
}

/** A path may have thousands of characters, and each refused request has one. */
const LONGEST_PATH = 200;

export function refuseFault(
  error: unknown,
  wholePath: string,
  headers: Record<string, string>,
): Response {
  const path = wholePath.slice(0, LONGEST_PATH);
  if (isDatabaseAway(error)) {
    logEvent('warn', 'database-away', { path, message: String(error) });
    return refuse(503, 'The service is unavailable right now. Please try again.', {
      retryAfter: 5,
      headers,
    });
  }
  logFault('call-failed', error, { path });
  return refuse(500, 'Something went wrong on our end. Please try again.', { headers });
}
