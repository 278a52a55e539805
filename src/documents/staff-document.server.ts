/** The staff area: one document, the same for everybody, with nothing personal in it. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { STAFF_PATHS } from '../admin/staff-pages.ts';
import { PageCache, sendPage } from '../platform/http/page-cache.server.ts';
import type { Site } from '../platform/site.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import { renderAdmin } from './render.server.tsx';

export function staffRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  site: Site,
  { catalogue, assets, headers, demoCredentials, noMoneyMoves }: DocumentDeps,
): void {
  const cache = new PageCache();

  for (const path of STAFF_PATHS) {
    app.get(path, async ({ req }) => {
      // Without its database the page is sent all the same; the calls it makes tell why nothing works.
      const demo = await demoCredentials().catch(() => null);
      const page = cache.page(
        `${path} ${demo !== null}`,
        catalogue.version(),
        headers.staff,
        () => ({
          body: renderAdmin(assets.entry, { site, path, demo, noMoneyMoves }),
          status: 200,
        }),
      );
      return sendPage(page, req.header('accept-encoding'), undefined);
    });
  }
}
