/** The staff area: one document, the same for everybody, with nothing personal in it. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { HTML_TYPE } from '../platform/http/answer.server.ts';
import { finishedText } from '../platform/http/finished-answer.server.ts';
import { FinishedCache } from '../platform/http/finished-cache.server.ts';
import type { Site } from '../platform/site.ts';
import { STAFF_PATHS } from '../staff/staff-pages.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import { renderAdmin } from './render.server.tsx';

export function staffRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  site: Site,
  { catalogue, assets, headers, demoCredentials, noMoneyMoves }: DocumentDeps,
): void {
  const cache = new FinishedCache();

  for (const path of STAFF_PATHS) {
    app.get(path, async ({ req }) => {
      // Without its database the page is sent all the same; the calls it makes tell why nothing works.
      const demo = await demoCredentials().catch(() => null);
      const page = cache.get(`${path} ${demo !== null}`, catalogue.version(), () =>
        finishedText(renderAdmin(assets.entry, { site, path, demo, noMoneyMoves }), {
          ...HTML_TYPE,
          ...headers.staff,
        }),
      );
      return page.response(req.raw.headers);
    });
  }
}
