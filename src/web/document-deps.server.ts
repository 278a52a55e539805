import type { IncomingMessage } from 'node:http';
import type { LiveCatalogue } from '../catalogue/live-catalogue.server.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import type { Content } from '../content.server.ts';
import type { PaymentConfig } from '../payments/payment-api.ts';
import type { BuiltAssets } from '../platform/http/assets.server.ts';
import type { HeaderSets } from '../platform/http/headers.server.ts';
import type { QuoteJson } from '../quotes/quote-api.ts';
import type { Credentials } from '../staff/staff-api.ts';

/** What the documents are made from. */
export interface DocumentDeps {
  content: Content;
  catalogue: LiveCatalogue;
  assets: BuiltAssets;
  headers: HeaderSets;
  publicUrl: string;
  addOnPrices(): AddOnPrices;
  paymentConfig: PaymentConfig;
  /** Customers get a receipt by email. */
  receipts: boolean;
  /**
   * The quote of a link, for its page; null leaves it to the browser: the database is away, or this visitor has had many
   * such pages rendered.
   */
  quoteOnPage(token: string, incoming: IncomingMessage): Promise<QuoteJson | 'unknown' | null>;
  /** Staff are reminded that orders are not paid. */
  noMoneyMoves: boolean;
  /** The demo's credentials, while they open the staff area. */
  demoCredentials(): Promise<Credentials | null>;
}
