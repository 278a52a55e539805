/** What all calls under /api have in common, whatever answers them. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { refuseFault } from './health.server.ts';

/** `headers`: of every answer, unless a call that is stricter than the others says its own. */
export function apiFrame(
  app: Hono<{ Bindings: HttpBindings }>,
  headers: Readonly<Record<string, string>>,
): void {
  app.use('/api/*', async (context, next) => {
    await next();
    const { headers: own } = context.res;
    for (const [name, value] of Object.entries(headers)) if (!own.has(name)) own.set(name, value);
  });
  app.onError((error, { req }) => refuseFault(error, req.path, headers));
}
