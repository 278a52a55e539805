/** The three documents and the files they load. Each has its own policy, and links between them load anew. */
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { refuse } from '../platform/http/answer.server.ts';
import { siteFiles } from '../platform/http/file-routes.server.ts';
import type { Site } from '../platform/site.ts';
import { checkoutRoutes } from './checkout-document.server.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import { checkoutRenderer } from './render.server.tsx';
import { siteDocument } from './site-document.server.ts';
import { staffRoutes } from './staff-document.server.ts';

export async function documents(deps: DocumentDeps) {
  const { content, assets, headers, publicUrl } = deps;
  const site: Site = { company: content.company, pictures: content.pictures, publicUrl };
  const { routes: siteRoutes, find: findPage, ...siteParts } = await siteDocument(site, deps);
  const renderCheckout = await checkoutRenderer(assets.entry);
  const files = siteFiles({ assets, headers, pictures: join(content.folder, 'pictures') });

  function routes(app: Hono<{ Bindings: HttpBindings }>): void {
    files.routes(app);
    checkoutRoutes(app, site, deps, renderCheckout);
    staffRoutes(app, site, deps);
    siteRoutes(app);
    app.all('*', () =>
      refuse(405, 'This method is not allowed here', {
        headers: { ...headers.api, Allow: 'GET, HEAD' },
      }),
    );
  }

  /** What is ready to be sent from an address, the same for all visitors. */
  const find = (path: string) => files.find(path) ?? findPage(path);

  return { ...siteParts, find, routes };
}
