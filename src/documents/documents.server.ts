/** The three documents and the files they load. Each has its own policy, and links between them load anew. */

import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { refuse } from '../platform/http/answer.server.ts';
import { fileRoutes } from '../platform/http/file-routes.server.ts';
import type { Site } from '../platform/site.ts';
import { checkoutRoutes } from './checkout-document.server.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import { siteDocument } from './site-document.server.ts';
import { staffRoutes } from './staff-document.server.ts';

export async function documents(deps: DocumentDeps) {
  const { content, assets, headers, publicUrl } = deps;
  const site: Site = { company: content.company, pictures: content.pictures, publicUrl };
  const { routes: siteRoutes, ...siteParts } = await siteDocument(site, deps);

  function routes(app: Hono<{ Bindings: HttpBindings }>): void {
    fileRoutes(app, { assets, headers, pictures: join(content.folder, 'pictures') });
    checkoutRoutes(app, site, deps);
    staffRoutes(app, site, deps);
    siteRoutes(app);
    app.all('*', () =>
      refuse(405, 'This method is not allowed here', {
        headers: { ...headers.api, Allow: 'GET, HEAD' },
      }),
    );
  }

  return { ...siteParts, routes };
}
