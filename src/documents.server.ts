/** The three documents and the files they load. Each has its own policy, and links between them load anew. */

import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { DemoCredentials } from './admin/sign-in.ts';
import type { LiveCatalogue } from './catalogue/live-catalogue.server.ts';
import type { AddOnPrices } from './catalogue/pricing.ts';
import { checkoutRoutes } from './checkout-document.server.ts';
import type { Content } from './content.server.ts';
import type { PaymentConfig } from './payment/payment-shapes.ts';
import { refuse } from './platform/answer.server.ts';
import type { BuiltAssets } from './platform/assets.server.ts';
import { fileRoutes } from './platform/file-routes.server.ts';
import type { HeaderSets } from './platform/headers.server.ts';
import type { Site } from './platform/site.ts';
import { siteDocument } from './site-document.server.ts';
import { staffRoutes } from './staff-document.server.ts';

export interface DocumentDeps {
  content: Content;
  catalogue: LiveCatalogue;
  assets: BuiltAssets;
  headers: HeaderSets;
  publicUrl: string;
  addOnPrices(): AddOnPrices;
  paymentConfig: PaymentConfig;
  /** Customers get a receipt by e-mail. */
  receipts: boolean;
  /** Staff are reminded that orders are not paid. */
  noMoneyMoves: boolean;
  /** The demo's credentials, while they open the staff area. */
  demoCredentials(): Promise<DemoCredentials | null>;
}

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
